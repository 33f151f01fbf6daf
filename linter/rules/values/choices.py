"""BAI301: what has a fixed set of values has one of them.

The service refuses any other value, and a run that gets as far fails when its processes should
meet.

Wrong (job.json):

    {
      "pyTorchSettings": {
        "pythonScriptFilePath": "train.py",
        "communicationBackend": "NCCL"
      }
    }

Right (job.json):

    {
      "pyTorchSettings": {
        "pythonScriptFilePath": "train.py",
        "communicationBackend": "Gloo"
      }
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation
from bai.specs.names import nearest

_VALUES: Final = {
    ("pyTorchSettings", "communicationBackend"): ("TCP", "Gloo", "MPI"),
    ("cntkSettings", "languageType"): ("BrainScript", "Python"),
}
"""Toolkit and key, where the schema takes any text -> the values, in any case."""


@rule("BAI301", Kind.JOB)
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
