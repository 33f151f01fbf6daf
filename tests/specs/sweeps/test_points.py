"""The points of sweeps."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.specs.models.sweep import Sweep
from bai.specs.source.plain_scalar import Plain
from bai.specs.sweeps.points import count_points, member_name, points


def plain(data):
    """Return data as an unquoted document has it."""
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items()}
    return [plain(each) for each in data] if isinstance(data, list) else Plain(data)


def found(**written):
    data = plain(written)
    sweep = Sweep.model_validate(data, by_alias=True, by_name=False)
    made = list(points(sweep, data))
    assert sweep.space == "random" or len(made) == count_points(sweep)
    return [json.loads(point.text) for point in made]


@pytest.mark.parametrize(
    ("space", "values"),
    [
        ({"from": 1, "to": 3}, [1, 2, 3]),
        ({"from": 1, "to": 8, "step": 3}, [1, 4, 7]),
        ({"from": 0.0, "to": 0.3, "step": 0.1}, [0, 0.1, 0.2, 0.3]),
        ({"from": 0, "to": 1, "count": 5}, [0, 0, 0, 1, 1]),
        ({"from": 0.0, "to": 1.0, "count": 5}, [0, 0.25, 0.5, 0.75, 1]),
        ({"from": 0.001, "to": 0.1, "count": 3, "spread": "log"}, [0.001, 0.01, 0.1]),
        ({"from": 8, "to": 128, "count": 5, "spread": "log"}, [8, 16, 32, 64, 128]),
        ({"from": 2, "to": 2, "count": 1}, [2]),
        ({"choices": ["a", "b"]}, ["a", "b"]),
        ([0.1, "x", "true"], [0.1, "x", True]),
    ],
    ids=str,
)
def test_the_values_of_a_dimension(space, values):
    assert [point["x"] for point in found(grid={"x": space})] == values


def test_a_grid_has_all_combinations_in_the_order_of_its_keys():
    assert found(grid={"x": [1, 2], "y": ["a", "b"]}) == [
        {"x": 1, "y": "a"},
        {"x": 1, "y": "b"},
        {"x": 2, "y": "a"},
        {"x": 2, "y": "b"},
    ]


def test_a_zip_takes_values_together():
    assert found(zip={"x": [1, 2], "y": ["a", "b"]}) == [{"x": 1, "y": "a"}, {"x": 2, "y": "b"}]


def test_a_list_has_each_member():
    assert found(list=[{"x": 1}, {"x": 2, "y": 3}]) == [{"x": 1}, {"x": 2, "y": 3}]


RANGES = {
    "rate": {"from": 0.0001, "to": 0.1, "spread": "log"},
    "width": {"from": 1, "to": 1000, "spread": "log"},
    "share": {"from": 0.0, "to": 1.0},
    "depth": {"from": 2, "to": 10, "step": 2},
    "kind": ["a", "b"],
}


@given(st.integers(1, 30), st.integers(0, 2**31 - 1))
def test_random_points_stay_in_their_ranges(samples, seed):
    made = found(random=RANGES, samples=samples, seed=seed)
    assert len(made) == samples
    for point in made:
        assert 0.0001 <= point["rate"] <= 0.1
        assert isinstance(point["width"], int)
        assert 1 <= point["width"] <= 1000
        assert 0 <= point["share"] <= 1
        assert point["depth"] in (2, 4, 6, 8, 10)
        assert point["kind"] in ("a", "b")


@given(st.integers(1, 20), st.integers(0, 20), st.randoms())
def test_more_samples_keep_the_first_ones_whatever_the_order_of_keys(samples, more, shuffle):
    keys = list(RANGES)
    shuffle.shuffle(keys)
    few = found(random=RANGES, samples=samples, seed=7)
    many = found(random={key: RANGES[key] for key in keys}, samples=samples + more, seed=7)
    assert many[:samples] == few


def test_a_small_space_has_no_more_random_points_than_there_are():
    assert found(random={"x": [1, 2, 3]}, samples=50) in [
        [{"x": a}, {"x": b}, {"x": c}] for a in (1, 2, 3) for b in (1, 2, 3) for c in (1, 2, 3)
    ]


def test_random_points_are_the_same_everywhere():
    assert found(random={"x": {"from": 0.0, "to": 1.0}}, samples=2, seed=1) == [
        {"x": 0.134364},
        {"x": 0.847434},
    ]


def digests(**written):
    data = plain(written)
    sweep = Sweep.model_validate(data, by_alias=True, by_name=False)
    return [member_name("job", point.text) for point in points(sweep, data)]


def test_names_depend_on_values_and_not_on_how_they_are_written():
    assert digests(grid={"x": ["0.10"], "y": [1]}) == digests(grid={"y": [1], "x": ["0.1"]})
    assert digests(list=[{"x": 1}, {"x": 2}]) == digests(grid={"x": {"from": 1, "to": 2}})
    assert len(set(digests(grid={"x": list(range(100))}))) == 100
