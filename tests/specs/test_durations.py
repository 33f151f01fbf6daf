"""Time limits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.specs.durations import MAX_SECONDS, iso_duration, parse_time_limit, seconds


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
    assert parse_time_limit(text) == iso


@pytest.mark.parametrize(
    "text",
    [
        *("", "P", "PT", "90", "1w", "-1h", "1.5h", "h", "30m1h", "1:2:3", "12:61:00", "٣h"),
        *("8d", "0s", "7d1s", "9" * 5000 + "s"),
    ],
)
def test_what_is_no_time_limit(text):
    with pytest.raises(ValueError):
        parse_time_limit(text)


@given(st.integers(0, MAX_SECONDS))
def test_iso_and_back(length):
    assert seconds(iso_duration(f"{length}s")) == length
