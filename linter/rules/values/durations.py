"""BAI306: a time limit is a duration of at most seven days."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.cache import cached
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH: Final = ("properties", "constraints", "maxWallClockTime")
_MAX_SECONDS: Final = 7 * 86_400
"""Seven days. `specs.durations`, which knows it too, is not imported for valid durations."""
_N: Final = "([0-9]{1,9}(?:[.,][0-9]{1,9})?)"
_ISO: Final = rf"P(?:{_N}Y)?(?:{_N}M)?(?:{_N}W)?(?:{_N}D)?(?:T(?:{_N}H)?(?:{_N}M)?(?:{_N}S)?)?"
"""All of ISO 8601's durations; specs know those without years, months, weeks and fractions."""
_UNITS: Final = (31_536_000, 2_592_000, 604_800, 86_400, 3_600, 60, 1)


@rule("BAI306", Kind.JOB, keys=("maxWallClockTime",))
def durations(job: ResourceView) -> Iterator[Violation]:
    text = job.literal(*_PATH)
    if text is None:
        return
    if (length := _iso_seconds(text)) is not None:
        if not 0 < length <= _MAX_SECONDS:
            hint = "write P7D, or leave it out"
            yield Violation(_PATH, f"{text!r} is not between 1s and 7d", hint)
        return
    from bai.specs.durations import iso_duration, seconds

    message, hint = f"{text!r} is no length of time", "write it like PT90M, PT12H or P2D"
    edits = []
    try:
        length = seconds(text)
    except ValueError:
        pass
    else:
        message = f"{text!r} is no ISO 8601 duration"
        if ":" in text:
            message = f"{text!r} is how .NET writes a duration, Batch AI takes ISO 8601"
        if 0 < length <= _MAX_SECONDS:
            duration = iso_duration(text)
            hint = f"write {duration}"
            edits = [(0, len(text), duration)]
    yield Violation(_PATH, message, hint, edits=edits)


@cached
def _iso_seconds(text: str) -> float | None:
    if not text.startswith("P"):
        return None
    match = re.fullmatch(_ISO, text)
    if match is None or not any(match.groups()) or text.endswith("T"):
        return None
    parts = (float((part or "0").replace(",", ".")) for part in match.groups())
    return sum(part * unit for part, unit in zip(parts, _UNITS, strict=True))
