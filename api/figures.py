"""Metrics as a figure of matplotlib.

Curves differ in their line and their marks as well as in their colour, and their colours differ for
people without colour vision (Okabe and Ito, https://jfly.uni-koeln.de/color/). The background is
white in every notebook, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from bai.curves import Curve, Picture, chosen, pictures
from bai.metric_points import HOW_TO_REPORT, MetricSource
from bai.runtime.errors import NotFoundError
from bai.specs.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST: Final = 12
"""Curves of a picture."""
_COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00")
_LINES: Final = ("-", "--", "-.", ":")
_MARKS: Final = "osD^vPX*"
_MARKED: Final = 10
"""Marks on a curve."""
_COLUMNS: Final = 2
_SIZE: Final = (5.2, 3.4)
"""Inches of a picture."""


def figure(jobs: MetricSource | Iterable[MetricSource], *names: str) -> Figure:
    """Return a figure with a picture for each metric, which a notebook shows.

    With one job it has all its ranks, where these differ; with several, the first rank of each.

    Args:
        jobs: a job or a sweep, or several.
        *names: metrics, also as patterns like `val/*`; by default all that scripts reported.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
        NotFoundError: there are no metrics, or none of that name.
    """
    sources = list(jobs) if isinstance(jobs, Iterable) else [jobs]
    points = [point for source in sources for point in source.metric_points()]
    labels = {job: label for source in sources for job, label in source.metric_labels().items()}
    if not points:
        raise NotFoundError(f"there are no metrics yet: {HOW_TO_REPORT}")
    return draw(pictures(points, chosen(points, names), labels, MOST))


def draw(found: Sequence[Picture]) -> Figure:
    """Return a figure of some pictures.

    Raises:
        ModuleNotFoundError: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "figures are those of matplotlib, which is not installed: `pip install 'bai[plot]'`"
        ) from None

    class Curves(Figure):
        """A figure that shows itself in a notebook, whatever its backend is."""

        def savefig(self, fname: Any, **more: Any) -> None:
            """Write it to a file, on white unless `facecolor` says otherwise."""
            super().savefig(fname, **{"facecolor": "white"} | more)

        def _repr_png_(self) -> bytes:
            data = BytesIO()
            self.savefig(data, format="png", dpi=110)
            return data.getvalue()

    columns = min(_COLUMNS, len(found))
    rows = -(-len(found) // columns)
    with rc_context(_style()):
        made = Curves(figsize=(_SIZE[0] * columns, _SIZE[1] * rows), layout="constrained")
        places = list(made.subplots(rows, columns, squeeze=False).flat)
        for axes, picture in zip(places, found, strict=False):
            _draw(axes, picture)
        for axes in places[len(found) :]:
            axes.remove()
    return made


def _style() -> dict[Any, str]:
    """Return what does not depend on a style that the user has chosen for other figures."""
    return {
        "figure.facecolor": "white",
        "axes.facecolor": "white",
        "savefig.facecolor": "white",
        "text.color": "black",
        "axes.labelcolor": "black",
        "axes.edgecolor": "#555555",
        "xtick.color": "#333333",
        "ytick.color": "#333333",
        "svg.hashsalt": "bai",
    }


def _draw(axes: Axes, picture: Picture) -> None:
    from matplotlib.ticker import MaxNLocator

    for number, curve in enumerate(picture.curves):
        _draw_curve(axes, curve, number)
    axes.set_title(picture.name)
    axes.set_xlabel(picture.x_name)
    if picture.has_whole_xs:
        # There is no half of a step.
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    if any(curve.label for curve in picture.curves):
        more = f"and {counted(picture.left_out, 'more curve')}" if picture.left_out else None
        axes.legend(fontsize="small", title=more)


def _draw_curve(axes: Axes, curve: Curve, number: int) -> None:
    count = len(curve.xs)
    # Marks of two curves that lie on each other stand beside each other.
    every = max(1, count // _MARKED)
    axes.plot(
        curve.xs,
        curve.ys,
        color=_COLOURS[number % len(_COLOURS)],
        linestyle=_LINES[number % len(_LINES)],
        marker=_MARKS[number % len(_MARKS)],
        markevery=(number % every, every),
        markersize=4,
        linewidth=1.4,
        label=curve.label,
    )
