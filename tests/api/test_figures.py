"""Metrics as curves and as figures."""

import io
import sys

import matplotlib.image
import pytest

import bai
from bai.curves import chosen, pictures
from bai.metric_points import MetricPoint
from bai.runtime.errors import NotFoundError


def points(job="a", ranks=(0,), name="loss", *, steps=True, offset=0.0):
    return [
        MetricPoint(
            *(job, rank, name, step if steps else None),
            time=100.0 + step,
            value=step + offset * (rank or 0),
        )
        for step in range(5)
        for rank in ranks
    ]


class Source:
    """What has metrics."""

    def __init__(self, found, **labels):
        self._found, self._labels = found, labels

    def metric_points(self):
        return iter(self._found)

    def metric_labels(self):
        return self._labels


def labels(found, names=("loss",), given=None, most=8):
    return [
        [curve.label for curve in each.curves] for each in pictures(found, names, given or {}, most)
    ]


def test_ranks_have_curves_where_they_differ():
    assert labels(points(ranks=(0, 1), offset=1)) == [["rank 0", "rank 1"]]
    assert labels(points(ranks=(0, 1))) == [[""]]
    assert labels(points(ranks=(None,))) == [[""]]


def test_several_jobs_have_a_curve_each_in_the_order_in_which_they_are_given():
    found = [*points("b", (0, 1), offset=1), *points("a", (None,))]
    assert labels(found) == [["b", "a"]]
    assert labels(found, given={"a": "lr=0.1"}) == [["b", "lr=0.1"]]


def test_of_many_curves_some_are_left_out_and_counted():
    (picture,) = pictures(points(ranks=range(20), offset=1), ["loss"], {}, 8)
    assert (len(picture.curves), picture.left_out) == (8, 12)


def test_what_has_no_steps_is_drawn_over_seconds_of_its_job():
    (picture,) = pictures(points(steps=False), ["loss"], {}, 8)
    assert (picture.x_name, picture.curves[0].xs) == ("seconds", [0.0, 1.0, 2.0, 3.0, 4.0])


def test_metrics_are_chosen_by_name_and_by_pattern():
    names = ["val/loss", "loss", "val/accuracy", "bai/cpu_cores"]
    found = [point for name in names for point in points(name=name)]
    assert chosen(found, []) == names[:3]
    assert chosen(found, ["val/*", "bai/cpu_cores"]) == ["val/loss", "val/accuracy", names[3]]
    assert chosen(points(name="bai/cpu_cores"), []) == ["bai/cpu_cores"]
    with pytest.raises(NotFoundError, match=r"there is no metric 'los' \(did you mean loss\?\)"):
        chosen(found, ["los"])


def test_a_figure_shows_itself_on_white_whatever_style_is_chosen():
    from matplotlib import rc_context

    source = Source([*points(ranks=(0, 1), offset=1), *points(name="accuracy")])
    with rc_context({"figure.facecolor": "black", "text.color": "white"}):
        figure = bai.figure(source)
    assert [axes.get_title() for axes in figure.axes] == ["loss", "accuracy"]
    loss, _ = figure.axes
    assert [text.get_text() for text in loss.get_legend().get_texts()] == ["rank 0", "rank 1"]
    # Not by colour alone.
    lines = [(line.get_linestyle(), line.get_marker()) for line in loss.get_lines()]
    assert len(set(lines)) == 2
    with rc_context({"savefig.facecolor": "black"}):
        image = matplotlib.image.imread(io.BytesIO(figure._repr_png_()))
    assert image[0, 0, :3].tolist() == [1, 1, 1]


@pytest.mark.parametrize(("steps", "whole"), [(True, True), (False, False)])
def test_no_half_steps_are_marked(steps, whole):
    few = [point for point in points(steps=steps) if point.time < 102]
    (axes,) = bai.figure(Source(few)).axes
    assert all(tick % 1 == 0 for tick in axes.get_xticks()) is whole


def test_there_is_no_empty_picture():
    names = ["loss", "top1", "top5"]
    figure = bai.figure(Source([point for name in names for point in points(name=name)]))
    assert [axes.get_title() for axes in figure.axes] == names


def test_figures_say_what_is_missing(monkeypatch):
    with pytest.raises(NotFoundError, match=r"no metrics yet: .*bai\.metrics\.report"):
        bai.figure([Source([])])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'bai\[plot\]'"):
        bai.figure([Source(points())])
