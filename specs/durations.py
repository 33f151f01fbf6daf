"""Time limits: `90m`, `12h`, `2d`, `1h30m`, ISO 8601 (`PT12H`) or Batch AI's `7.00:00:00`."""

from __future__ import annotations

import re

MAX_SECONDS = 7 * 24 * 3600
"""The longest run that Batch AI allows."""

_SHORT = re.compile(r"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_ISO = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_DOTNET = re.compile(r"(?:(\d+)\.)?(\d+):(\d\d):(\d\d)")


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
    raise ValueError(f"not a duration: {text!r}")


def iso_duration(text: str) -> str:
    """Return a duration as ISO 8601, `P1DT12H` for one.

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
