"""Time limits: `90m`, `12h`, `2d`, `1h30m`, ISO 8601 (`PT12H`) or Batch AI's `7.00:00:00`."""

from __future__ import annotations

import re

MAX_SECONDS = 7 * 24 * 3600
"""The longest run that Batch AI allows."""

_N = "([0-9]{1,9})"
_SHORT = re.compile(rf"(?:{_N}d)?(?:{_N}h)?(?:{_N}m)?(?:{_N}s)?")
_ISO = re.compile(rf"P(?:{_N}D)?(?:T(?:{_N}H)?(?:{_N}M)?(?:{_N}S)?)?")
_DOTNET = re.compile(rf"(?:{_N}\.)?{_N}:([0-5][0-9]):([0-5][0-9])")


def seconds(text: str) -> int:
    """Return a duration in seconds.

    Raises:
        ValueError: `text` is in none of the three forms.
    """
    for form in (_SHORT, _ISO, _DOTNET):
        match = form.fullmatch(text)
        if match and any(match.groups()):
            days, hours, minutes, rest = (int(part or 0) for part in match.groups())
            return ((days * 24 + hours) * 60 + minutes) * 60 + rest
    raise ValueError(f"{text!r} is no length of time")


def iso_duration(text: str) -> str:
    """Return a duration as ISO 8601, `P1DT12H` for example.

    Raises:
        ValueError: `text` is no duration.
    """
    total = seconds(text)
    days, rest = divmod(total, 24 * 3600)
    hours, rest = divmod(rest, 3600)
    minutes, secs = divmod(rest, 60)
    date = f"{days}D" if days else ""
    time = "".join(f"{n}{unit}" for n, unit in ((hours, "H"), (minutes, "M"), (secs, "S")) if n)
    if not date and not time:
        return "PT0S"
    return f"P{date}{'T' + time if time else ''}"


def time_limit_error(text: str) -> tuple[str, str] | None:
    """Return what is wrong with a job's time limit, and what to do; None if nothing is."""
    try:
        length = seconds(text)
    except ValueError as error:
        hint = "write a number and its unit: 90m, 12h, 2d or 1h30m, for example"
        if text.isdecimal():
            hint = f"add the unit: {text}s, {text}m or {text}h"
        return str(error), hint
    if 0 < length <= MAX_SECONDS:
        return None
    return f"{text!r} is not between 1s and 7d", "write 7d, or leave it out"
