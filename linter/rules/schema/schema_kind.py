"""BAI213: a file's `$schema` is that of its kind.

Editors check and complete a file by its `$schema`: with that of another kind they call all of it
wrong. bai goes by the keys then, and checks the file as what they show it to be.

Wrong (file):

    {
      "$schema": "../schemas/2018-05-01/cluster.json",
      "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/share",
        "customToolkitSettings": {"commandLine": "hostname"}
      }
    }

Right (file):

    {
      "$schema": "../schemas/2018-05-01/job.json",
      "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/share",
        "customToolkitSettings": {"commandLine": "hostname"}
      }
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.recognition import FILES, kind_of_address, stem_of
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation


@rule("BAI213")
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
