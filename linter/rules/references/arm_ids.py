"""The rules about ARM ids: of clusters and file servers, and of other things in Azure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind
from bai.linter.facts.volumes import FILE_SERVERS, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Violation
from bai.specs.findings import Path

_GROUP: Final = "/subscriptions/ID/resourceGroups/GROUP/providers"
_SERVER: Final = f"{_GROUP}/Microsoft.BatchAI/workspaces/WORKSPACE/fileServers/NAME"
_CLUSTER: Final = f"{_GROUP}/Microsoft.BatchAI/workspaces/WORKSPACE/clusters/NAME"
_VAULT: Final = f"{_GROUP}/Microsoft.KeyVault/vaults/NAME"
_OTHERS: Final[dict[Path, tuple[str, str]]] = {
    ("subnet", "id"): (
        f"{_GROUP}/Microsoft.Network/virtualNetworks/NAME/subnets/NAME",
        "a subnet",
    ),
    ("component", "id"): (f"{_GROUP}/Microsoft.Insights/components/NAME", "a component"),
    ("sourceVault", "id"): (_VAULT, "a vault"),
    ("imageReference", "virtualMachineImageId"): (
        f"{_GROUP}/Microsoft.Compute/images/NAME",
        "an image",
    ),
}
"""End of a wire path -> (form of the id, what it is of)."""
_FIRST: Final = tuple(str(path[0]) for path in _OTHERS)
_LAST: Final = tuple(dict.fromkeys(str(path[-1]) for path in _OTHERS))


@cache
def _regex(form: str, name: str = "[^/]+") -> str:
    """Return the regular expression of ids of a form, from that of a name."""
    return re.sub(r"\b(?:ID|GROUP|WORKSPACE|NAME)\b", name, re.escape(form))


# In specs, passes check which clusters and file servers are named.
@rule("BAI402", Kind.JOB, Kind.CLUSTER, form=Form.FILE, keys=("cluster", "fileServer"))
def ids_of_resources(resource: ResourceView) -> Iterator[Violation]:
    places: list[tuple[Path, str, str]] = [(("properties", "cluster", "id"), _CLUSTER, "cluster")]
    places += [
        (volume.at("fileServer", "id"), _SERVER, "file server")
        for volume in volumes(resource)
        if volume.kind == FILE_SERVERS
    ]
    for path, form, what in places:
        text = resource.literal(*path)
        if text is not None and not _fits(text, form):
            yield Violation(path, f"this is not the ARM id of a {what}", form)


@rule(
    "BAI409",
    keys=_FIRST,
    accepts={
        "sourceVault": {"properties": {"id": {"pattern": f"^{_regex(_VAULT, '[A-Za-z0-9._-]+')}$"}}}
    },
)
def ids_of_others(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at(*_LAST):
        form, what = _OTHERS.get(path[-2:], ("", ""))
        if form and not _fits(text, form) and not is_expression(text):
            yield Violation(path, f"{text!r} is not the ARM id of {what}", form)


def _fits(text: str, form: str) -> bool:
    """Return whether an id has a form, in which words in capitals stand for names."""
    return re.fullmatch(_regex(form), text, re.IGNORECASE) is not None
