"""References inside of strings: `${mounts.data}`, `$AZ_BATCHAI_INPUT_X` and the like."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bai.compiler.batchai.variables import CLUSTER_ROOT, GROUPS, JOB_ROOT
from bai.lsp.outline import Scalar
from bai.lsp.text import Position, Range

_REFERENCE = re.compile(
    r"\$\{(?P<group>mounts|inputs|outputs)\.(?P<name>[^{}\s]*)\}"
    r"|\$\{?(?P<variable>AZ_BATCH\w*)\}?(?:/(?P<below>[^\s/'\"$;|&]+))?"
)


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference."""

    group: str
    """`mounts`, `inputs` or `outputs`; `variable` for what is not declared in a file."""
    name: str
    """What is referred to: the name of a mount, an id, or the variable itself."""
    range: Range
    variable: str | None
    """The variable it is written with; None for a short reference."""


def reference_at(scalar: Scalar, position: Position) -> Reference | None:
    """Return the reference in a scalar that a cursor touches.

    Args:
        scalar: a piece of text on one line.
        position: on the same line.
    """
    start = scalar.range.start
    for found in _REFERENCE.finditer(scalar.text):
        where = Range.on_line(start.line, start.column + found.start(), start.column + found.end())
        if position not in where:
            continue
        if found["group"]:
            return Reference(found["group"], found["name"], where, None)
        variable, below = found["variable"], found["below"]
        in_variable = position.column <= start.column + found.end("variable")
        if variable in (CLUSTER_ROOT, JOB_ROOT) and below and not in_variable:
            return Reference("mounts", below, where, variable)
        for group, prefix in GROUPS.items():
            if variable.startswith(prefix):
                return Reference(group, variable.removeprefix(prefix), where, variable)
        return Reference("variable", variable, where, variable)
    return None
