"""BAI313: a virtual machine's size is spelt as Azure spells it.

The service knows sizes by their whole names only, in any case. A size that Azure never had, such as
a tenth version or an NC with seven cores, is most likely misspelt, too.

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

import re
from collections.abc import Iterator

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation
from bai.specs.names import nearest

_PATH = ("properties", "vmSize")
_PREFIX = "STANDARD_"
_SIZE = r"STANDARD_(?P<family>[A-Z]+)[0-9]+[A-HJ-Z]*(?:_V(?P<version>[0-9]{1,9}))?"
_COMPLETE = frozenset(
    [
        *((family, 1) for family in ("A", "D", "DS", "F", "G", "GS", "H", "NC", "ND", "NV")),
        *((family, 2) for family in ("A", "D", "DS", "NC")),
        ("NC", 3),
    ]
)
"""Families and versions that never grew after the service's time, but for isolated ones (`15i`)."""
_FIRST_UNKNOWN_VERSION = 10
"""Azure is far from a tenth version of any family."""


@rule("BAI313")
def vm_size_names(resource: ResourceView) -> Iterator[Violation]:
    if resource.kind not in (Kind.CLUSTER, Kind.FILE_SERVER):
        return
    name = resource.literal(*_PATH)
    if name and (meant := _meant(name)):
        message = f"there is no size {name!r}"
        yield Violation(_PATH, message, f"did you mean {meant}?")


def _meant(name: str) -> str | None:
    """Return the size that a misspelt name stands for; None if it is one, or of another time.

    Newer sizes differ from the known ones by a letter or a number. So only what cannot be a size's
    name at all, has the same characters in another order, or is of a series that never grew, counts
    as misspelt.
    """
    found = vm_sizes.find(name)
    if found:
        is_whole = name.upper().startswith(_PREFIX) and name == name.strip()
        return None if is_whole else found.name
    if len(name) > 40:
        return None
    letters = sorted(_folded(name))
    for size in vm_sizes.names():
        if sorted(_folded(size)) == letters and _digits(size) == _digits(name):
            return size
    return _near_to_never_made(name)


def _near_to_never_made(name: str) -> str | None:
    """Return the size nearest to one that Azure has never had; None if it may have had it."""
    match = re.fullmatch(_SIZE, name.upper())
    if match is None:
        return None
    family, version = match["family"], int(match["version"] or 1)
    if version < _FIRST_UNKNOWN_VERSION and (family, version) not in _COMPLETE:
        return None
    known = [
        size
        for size in vm_sizes.names()
        if (found := re.fullmatch(_SIZE, size.upper())) and found["family"] == family
    ]
    same = [size for size in known if size.upper().endswith(f"_V{version}") == (version > 1)]
    return nearest(name, same if (family, version) in _COMPLETE else known)


def _folded(name: str) -> str:
    bare = name.upper().replace("_", "").replace("-", "").replace(" ", "")
    return bare.removeprefix("STANDARD")


def _digits(name: str) -> list[str]:
    return [character for character in name if character.isdigit()]
