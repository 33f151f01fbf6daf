"""Rules about texts of a fixed form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Violation
from bai.specs.names import nearest

_VALUES: Final = {
    ("pyTorchSettings", "communicationBackend"): ("TCP", "Gloo", "MPI"),
    ("cntkSettings", "languageType"): ("BrainScript", "Python"),
}
"""Toolkit and key, where the schema takes any text -> the values, in any case."""


@rule("BAI301", Kind.JOB, keys=tuple(key for _, key in _VALUES))
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


_PATH: Final = ("properties", "containerSettings", "shmSize")
_SIZE: Final = re.compile(r"[0-9]+(?:\.[0-9]+)*\s?(?:[kmgtp]?i?b?)", re.IGNORECASE)
"""What Docker's RAMInBytes takes (go-units)."""


@rule("BAI322", Kind.JOB, keys=("shmSize",))
def memory_sizes(job: ResourceView) -> Iterator[Violation]:
    size = job.literal(*_PATH)
    if size and "$" not in size and not _SIZE.fullmatch(size.strip()):
        hint = "write a number and b, k, m or g: 8g, for example"
        yield Violation(_PATH, f"{size!r} is no size", hint)


_NEEDED: Final = frozenset(
    (
        "adminUserName",
        "commandLine",
        "configFilePath",
        "image",
        "offer",
        "path",
        "pathPrefix",
        "publisher",
        "pythonInterpreterPath",
        "pythonScriptFilePath",
        "secretUrl",
        "sku",
        "stdOutErrPathPrefix",
        "username",
        "vmSize",
    )
)
"""Keys whose text says nothing if it is empty, and is not checked in another way."""


@rule("BAI304", form=Form.FILE)  # In specs, the models refuse empty values.
def empty(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts:
        if (not text or text.isspace()) and path[-1] in _NEEDED:
            yield Violation(path, f"{path[-1]} is empty", "give it a value")
