"""Rules about the `$schema` of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.recognition import FILES, kind_of_address, stem_of
from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest

_CURRENT: Final = "2018-05-01"
_VERSION: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-preview)?"
_CHANGES: Final = {
    Kind.JOB: (
        "priority is now schedulingPriority, output directories have no type and no createNew, "
        "and the experiment stands in the job's id"
    ),
    Kind.CLUSTER: "location and tags are the workspace's, and a setup task has no runElevated",
    Kind.FILE_SERVER: "location and tags are the workspace's",
}
"""What the models of the service's Python SDK 0.2.0 and 1.0.1 had, and 7.0.0 has not."""


_USUAL: Final = {"$schema": {"pattern": rf"^https://[\w./]+/{_CURRENT}/job\.json$"}}


@rule("BAI210", keys=("$schema",), accepts=_USUAL)
def api_version(resource: ResourceView) -> Iterator[Violation]:
    address = resource.text("$schema")
    if address is None or f"/{_CURRENT}/" in address:
        return
    match = re.search(f"(?<=/){_VERSION}(?=/)", address)
    if match is None:
        return
    message = f"the file is of api-version {match[0]}, the service's last one is {_CURRENT}"
    new = address.replace(match[0], _CURRENT)
    hint = f"write {new}"
    if match[0] < _CURRENT and (changes := _CHANGES.get(resource.kind)):
        hint = f"{hint}. Since then {changes}"
    yield Violation(Part(("$schema",), match[0], _CURRENT), message, hint)


_OWN: Final = ("azure/batchai/", "/2018-05-01/")
"""Parts of the addresses of Batch AI's schemas, in lower case."""


@rule("BAI214", keys=("$schema",), accepts=_USUAL)
def known_schemas(resource: ResourceView) -> Iterator[Violation]:
    address = resource.text("$schema")
    if address is None or kind_of_address(address):
        return
    name, stem = FILES[resource.kind]
    old = stem_of(address)
    if any(part in address.lower() for part in _OWN):
        near = nearest(old, (stem,)) if old else None
        message = f"Batch AI has no schema {old!r}"
        hint = f"did you mean {stem}? The keys say that it is a {name} file"
        yield Violation(Part(("$schema",), old, near), message, hint)
    elif "://" in address:
        # A path may well lead to a schema of one's own.
        what = "JSON Schema's own" if "json-schema.org/" in address else "none of Batch AI's"
        message = f"this $schema is {what}; it is not fetched"
        hint = f"the keys say {name} file: write .../2018-05-01/{stem}, or leave it out"
        yield Violation(("$schema",), message, hint)


@rule("BAI213", keys=("$schema",), accepts=_USUAL)
def schema_kind(resource: ResourceView) -> Iterator[Violation]:
    address = resource.text("$schema")
    said = kind_of_address(address) if address else None
    if address is None or said is None or said is resource.kind:
        return
    name, new = FILES[resource.kind]
    message = f"the $schema is a {FILES[said][0]}'s, the keys are a {name}'s"
    old = stem_of(address)
    hint = f"write {address.removesuffix('#').removesuffix(old)}{new}"
    yield Violation(Part(("$schema",), old, new), message, hint)
