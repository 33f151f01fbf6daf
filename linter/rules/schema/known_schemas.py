"""BAI214: a file's `$schema` is one of Batch AI's.

bai never fetches a schema: it knows those of the service, and takes the last part of the address
for the kind of the file. With any other one, the keys tell what the file is, and an editor that
does fetch it checks the file by something else.

Wrong (file):

    {
      "$schema": "https://example.com/x.json",
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
from typing import Final

from bai.compiler.batchai.recognition import FILES, kind_of_address, stem_of
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest

_OWN: Final = ("azure/batchai/", "/2018-05-01/")
"""Parts of the addresses of Batch AI's schemas, in lower case."""


@rule("BAI214")
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
