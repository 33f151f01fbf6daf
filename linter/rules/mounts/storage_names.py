"""BAI511: shares and containers have names that Azure allows.

Names of file shares and blob containers are 3 to 63 lowercase letters, digits and hyphens, with a
letter or a digit on both sides of each hyphen. Azure has none of another name, so that the mount
would fail on every node. On this machine it works: this is a warning.

Wrong (job):

    mounts: {data: "azureFile:Training_Data"}

Right (job):

    mounts: {data: "azureFile:training-data"}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.linter.facts.volumes import Volume, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation

_NAME = re.compile("[a-z0-9](?:-?[a-z0-9])*")
_SHARE = re.compile("https://[^/?#]+/+([^/?#]+)")
_SPECIAL: Final = frozenset(("$root", "$web", "$logs"))
"""Containers that Azure has under names of its own."""
_SHORTEST: Final = 3
_LONGEST: Final = 63
_HINT: Final = "3 to 63 lowercase letters, digits and single hyphens"


@rule("BAI511")
def storage_names(resource: ResourceView) -> Iterator[Violation]:
    # Short names are handy in specs, which mostly run on this machine.
    shortest = 1 if resource.is_compiled else _SHORTEST
    for volume in volumes(resource):
        what, key, name = _named(volume)
        if name is None or name in _SPECIAL or "<" in name:
            continue
        if what == "share" and name[0] in "[{":
            continue  # BAI611 tells of placeholders
        if not _NAME.fullmatch(name) or not shortest <= len(name) <= _LONGEST:
            message = f"{name!r} is no {what}'s name in Azure"
            yield Violation(Part((*volume.path, key), name), message, _HINT)


def _named(volume: Volume) -> tuple[str, str, str | None]:
    """Return what a volume is called, the key that says so, and the name if there is one."""
    if volume.kind == "azureBlobFileSystems":
        return "container", "containerName", volume.text("containerName")
    match = _SHARE.match(volume.text("azureFileUrl") or "")
    return "share", "azureFileUrl", match[1] if match else None
