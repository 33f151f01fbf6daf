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

from bai.compiler.rules.references.assignments import is_assigned
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.service_variables import AZURE_BATCH, FORMER, NAMES, PREFIX, directory
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.variable_uses import Use, directory_ids, variable_uses
from bai.specs.names import nearest

_ALIKE: Final = 0.9
"""How much a name that is not certainly the service's must be like one that is."""


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        for use in variable_uses(subject):
            name = use.name
            if name in NAMES or directory(name) or name in AZURE_BATCH:
                continue
            hint = _hint(subject, use)
            if hint and not use.has_fallback and not is_assigned(subject, use):
                message = f"the service sets no variable {name}"
                yield Complaint(subject, use.path, message, hint, use.written)


def _hint(subject: Subject, use: Use) -> str | None:
    """Return what to do about a variable that is not known; None if it may be the user's own."""
    name = use.name
    for former, fate in FORMER.items():
        if name.startswith(former):
            return fate
    own = [f"{PREFIX}{group}_{id}" for group, ids in directory_ids(subject).items() for id in ids]
    known = [*sorted(NAMES), *own]
    if not name.startswith(PREFIX):
        near = nearest(name, known, _ALIKE)
        return f"did you mean {near}?" if near else None
    # The longest one, since AZ_BATCHAI_JOB_TEMP_DIR begins with AZ_BATCHAI_JOB_TEMP.
    beginning = max((each for each in known if name.startswith(each)), key=len, default=name)
    rest = name.removeprefix(beginning)
    if rest and rest not in ("S", "s") and not rest.startswith("_"):
        return f"to put {rest} behind a variable, write ${{{beginning}}}{rest}"
    # What all have in common would make them look alike.
    ends = {each.removeprefix(PREFIX).removeprefix("AZ_BATCH_"): each for each in known}
    near = nearest(name.removeprefix(PREFIX), ends)
    return f"did you mean {ends[near]}?" if near else f"all that begin with {PREFIX} are its own"


RULE = Rule("BAI411", "a variable of the service that does not exist", _check)
