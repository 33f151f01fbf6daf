"""BAI411: every AZ_BATCHAI variable that is used exists.

The service sets a fixed set of variables, and a job sets no others that begin like them (BAI309).
One that does not exist is empty in a command, and stays as it is in a path: a command that writes
to `$AZ_BATCHAI_JOB_MOUNT_ROOTS/out` writes to `/out`, on a disk that goes with the node.

Wrong (job):

    custom: {command: "cp results.csv $AZ_BATCHAI_JOB_MOUNT_ROOTS/data"}

Right (job):

    custom: {command: "cp results.csv $AZ_BATCHAI_JOB_MOUNT_ROOT/data"}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import AZURE_BATCH, FORMER, NAMES, PREFIX, directory
from bai.linter.facts.assignments import is_assigned
from bai.linter.facts.variable_uses import directory_ids, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest

_ALIKE: Final = 0.9
"""How much a name that is not certainly the service's must be like one that is."""


@rule("BAI411")
def known_variables(resource: ResourceView) -> Iterator[Violation]:
    for use in variable_uses(resource):
        name = use.name
        if name in NAMES or directory(name) or name in AZURE_BATCH:
            continue
        hint = _hint(resource, name)
        if hint and not use.has_fallback and not is_assigned(resource, use):
            message = f"the service sets no variable {name}"
            yield Violation(Part(use.path, use.written), message, hint)


def _hint(resource: ResourceView, name: str) -> str | None:
    """Return what to do about a variable that is not known; None if it may be the user's own."""
    if fate := fate_of(name):
        return fate
    if name.startswith(PREFIX):
        # The longest one, since AZ_BATCHAI_JOB_TEMP_DIR begins with AZ_BATCHAI_JOB_TEMP.
        beginnings = (each for each in _known(resource) if name.startswith(each))
        beginning = max(beginnings, key=len, default=name)
        rest = name.removeprefix(beginning)
        if rest and rest not in ("S", "s") and not rest.startswith("_"):
            return f"to put {rest} behind a variable, write ${{{beginning}}}{rest}"
    if near := meant_variable(resource, name):
        return f"did you mean {near}?"
    return f"all that begin with {PREFIX} are its own" if name.startswith(PREFIX) else None


def fate_of(name: str) -> str | None:
    """Return what has become of a variable of older API versions; None for others."""
    return next((fate for former, fate in FORMER.items() if name.startswith(former)), None)


def meant_variable(resource: ResourceView, name: str) -> str | None:
    """Return the variable of the service that an unknown name most likely stands for, or None."""
    known = _known(resource)
    if not name.startswith(PREFIX):
        return nearest(name, known, _ALIKE)
    # What all have in common would make them look alike.
    ends = {each.removeprefix(PREFIX).removeprefix("AZ_BATCH_"): each for each in known}
    near = nearest(name.removeprefix(PREFIX), ends)
    return ends[near] if near else None


def _known(resource: ResourceView) -> list[str]:
    """Return the names of the variables that the service sets for a job."""
    own = [f"{PREFIX}{group}_{id}" for group, ids in directory_ids(resource).items() for id in ids]
    return [*sorted(NAMES), *own]
