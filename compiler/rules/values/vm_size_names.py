"""BAI313: a virtual machine's size is spelt as Azure spells it.

The service knows sizes by their whole names only, in any case.

Wrong (cluster.json):

    {
      "vmSize": "STANDARD-NC6"
    }

Right (cluster.json):

    {
      "vmSize": "STANDARD_NC6"
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.analysis import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.specs.findings import Severity

_PATH = ("properties", "vmSize")
_PREFIX = "STANDARD_"


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        if subject.kind not in (Kind.CLUSTER, Kind.FILE_SERVER):
            continue
        name = subject.literal(*_PATH)
        if name and (meant := _meant(name)):
            message = f"there is no size {name!r}"
            yield Complaint(subject, _PATH, message, f"did you mean {meant}?")


def _meant(name: str) -> str | None:
    """Return the size that a misspelt name stands for; None if it is one, or of another time.

    Newer sizes differ from the known ones by a letter or a number. So only what cannot be a size's
    name at all, or has the same characters in another order, counts as misspelt.
    """
    found = vm_sizes.find(name)
    if found:
        return None if name.upper().startswith(_PREFIX) else found.name
    if len(name) > 40:
        return None
    letters = sorted(_folded(name))
    for size in vm_sizes.names():
        if sorted(_folded(size)) == letters and _digits(size) == _digits(name):
            return size
    return None


def _folded(name: str) -> str:
    bare = name.upper().replace("_", "").replace("-", "").replace(" ", "")
    return bare.removeprefix("STANDARD")


def _digits(name: str) -> list[str]:
    return [character for character in name if character.isdigit()]


RULE = Rule("BAI313", "a misspelt size of virtual machines", _check, Severity.WARNING)
