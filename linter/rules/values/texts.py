"""Rules about texts of a fixed form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, Form, rule, without
from bai.linter.violation import Violation
from bai.specs.names import nearest

_VALUES: Final = {
    ("pyTorchSettings", "communicationBackend"): ("TCP", "Gloo", "MPI"),
    ("cntkSettings", "languageType"): ("BrainScript", "Python"),
}
"""Toolkit and key, where the schema takes any text -> the values, in any case."""


@rule(
    "BAI301",
    Kind.JOB,
    keys=tuple(key for _, key in _VALUES),
    accepts={
        key: {"enum": [*valid, *map(str.lower, valid)]} for (_, key), valid in _VALUES.items()
    },
)
def choices(job: ResourceView) -> Iterator[Violation]:
    for (toolkit, key), valid in _VALUES.items():
        path = ("properties", toolkit, key)
        value = job.literal(*path)
        if value is None or value.lower() in map(str.lower, valid):
            continue
        hint = f"expected {', '.join(valid[:-1])} or {valid[-1]}"
        if near := nearest(value, valid):
            hint = f"did you mean {near}? {hint}"
        yield Violation(path, f"{key} can't be {value!r}", hint)


_SHM_SIZE: Final = ("properties", "containerSettings", "shmSize")
_SIZE: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*\s?(?:[kmgtp]?i?b?)", re.IGNORECASE)
"""What Docker's RAMInBytes takes (go-units)."""
_USUAL_SIZE: Final = {"shmSize": {"pattern": "^[0-9]+[kmgKMG][bB]?$"}}


@rule("BAI322", Kind.JOB, keys=("shmSize",), accepts=_USUAL_SIZE)
def memory_sizes(job: ResourceView) -> Iterator[Violation]:
    size = job.literal(*_SHM_SIZE)
    if size and "$" not in size and not _SIZE.fullmatch(size.strip()):
        hint = "write a number and b, k, m or g: 8g, for example"
        yield Violation(_SHM_SIZE, f"{size!r} is no size", hint)


_NEEDED: Final = frozenset(
    "adminUserName commandLine configFilePath image offer path pathPrefix publisher "  # noqa: SIM905
    "pythonInterpreterPath pythonScriptFilePath secretUrl sku stdOutErrPathPrefix username "
    "vmSize".split()
)
"""Keys whose text says nothing if it is empty, and is not checked in another way."""


@rule(
    "BAI304",
    form=Form.FILE,  # In specs, the models refuse empty values.
    accepts={EVERY_TEXT: without("^[^!-~]*$")},
)
def empty(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts:
        if (not text or text.isspace()) and path[-1] in _NEEDED:
            yield Violation(path, f"{path[-1]} is empty", "give it a value")


_TIME_LIMIT: Final = ("properties", "constraints", "maxWallClockTime")
_MAX_SECONDS: Final = 7 * 86_400
"""Seven days. `specs.durations`, which knows it too, is not imported for valid durations."""
_N: Final = "([0-9]{1,9}(?:[.,][0-9]{1,9})?)"
_ISO: Final = rf"P(?:{_N}Y)?(?:{_N}M)?(?:{_N}W)?(?:{_N}D)?(?:T(?:{_N}H)?(?:{_N}M)?(?:{_N}S)?)?"
"""All of ISO 8601's durations; specs know those without years, months, weeks and fractions."""
_UNITS: Final = (31_536_000, 2_592_000, 604_800, 86_400, 3_600, 60, 1)


@rule(
    "BAI306",
    Kind.JOB,
    keys=("maxWallClockTime",),
    accepts={"maxWallClockTime": {"pattern": "^P(?:T[1-9][0-9]?[HM]|[1-7]D)$"}},
)
def durations(job: ResourceView) -> Iterator[Violation]:
    """A time limit is a duration of at most seven days."""
    text = job.literal(*_TIME_LIMIT)
    if text is None:
        return
    if (length := _iso_seconds(text)) is not None:
        if not 0 < length <= _MAX_SECONDS:
            hint = "write P7D, or leave it out"
            yield Violation(_TIME_LIMIT, f"{text!r} is not between 1s and 7d", hint)
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
    yield Violation(_TIME_LIMIT, message, hint, edits=edits)


def _iso_seconds(text: str) -> float | None:
    if not text.startswith("P"):
        return None
    match = re.fullmatch(_ISO, text)
    if match is None or not any(match.groups()) or text.endswith("T"):
        return None
    parts = (float((part or "0").replace(",", ".")) for part in match.groups())
    return sum(part * unit for part, unit in zip(parts, _UNITS, strict=True))
