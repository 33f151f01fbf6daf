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
_OTHERS: Final[dict[Path, tuple[str, str]]] = {
    ("subnet", "id"): ("Microsoft.Network/virtualNetworks/NAME/subnets/NAME", "a subnet"),
    ("component", "id"): ("Microsoft.Insights/components/NAME", "a component"),
    ("sourceVault", "id"): ("Microsoft.KeyVault/vaults/NAME", "a vault"),
    ("imageReference", "virtualMachineImageId"): ("Microsoft.Compute/images/NAME", "an image"),
}
"""End of a wire path -> (end of the id, what it is of)."""
_LAST: Final = tuple(dict.fromkeys(str(path[-1]) for path in _OTHERS))


# In specs, passes check which clusters and file servers are named.
@rule("BAI402", Kind.JOB, Kind.CLUSTER, form=Form.FILE)
def ids_of_resources(resource: ResourceView) -> Iterator[Violation]:
    places: list[tuple[Path, str, str]] = [(("properties", "cluster", "id"), _CLUSTER, "cluster")]
    places += [
        (volume.at("fileServer", "id"), _SERVER, "file server")
        for volume in volumes(resource)
        if volume.kind == FILE_SERVERS
    ]
    for path, form, what in places:
        text = resource.literal(*path)
        if text is not None and not _pattern(form).fullmatch(text):
            yield Violation(path, f"this is not the ARM id of a {what}", form)


@rule("BAI409")
def ids_of_others(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at(*_LAST):
        if path[-2:] not in _OTHERS or is_expression(text):
            continue
        end, what = _OTHERS[path[-2:]]
        form = f"{_GROUP}/{end}"
        if not _pattern(form).fullmatch(text):
            yield Violation(path, f"{text!r} is not the ARM id of {what}", form)


@cache
def _pattern(form: str) -> re.Pattern[str]:
    """Return the pattern of ids of a form, in which words in capitals stand for names."""
    pattern = re.sub(r"\b(?:ID|GROUP|WORKSPACE|NAME)\b", "[^/]+", re.escape(form))
    return re.compile(pattern, re.IGNORECASE)
