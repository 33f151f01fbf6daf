"""Time limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.specs.durations import MAX_SECONDS, iso_duration, seconds, time_limit_error


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("90m", "PT1H30M"),
        ("12h", "PT12H"),
        ("2d", "P2D"),
        ("1h30m", "PT1H30M"),
        ("45s", "PT45S"),
        ("PT12H", "PT12H"),
        ("P1DT1S", "P1DT1S"),
        ("7.00:00:00", "P7D"),
        ("12:30:00", "PT12H30M"),
    ],
)
def test_time_limits(text, iso):
    assert time_limit_error(text) is None
    assert iso_duration(text) == iso


@pytest.mark.parametrize(
    "text",
    [
        *("", "P", "PT", "90", "1w", "-1h", "1.5h", "h", "30m1h", "1:2:3", "12:61:00", "٣h"),
        *("8d", "0s", "7d1s", "9" * 5000 + "s"),
    ],
)
def test_what_is_no_time_limit(text):
    assert time_limit_error(text)


def test_a_number_without_a_unit_needs_one():
    assert time_limit_error("90") == ("'90' is no length of time", "add the unit: 90s, 90m or 90h")


@given(st.integers(0, MAX_SECONDS))
def test_iso_and_back(length):
    assert seconds(iso_duration(f"{length}s")) == length
