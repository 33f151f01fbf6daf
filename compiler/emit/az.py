"""Files for `az batchai`, and the commands that take them.

The files are in the form for reuse: a job does not name its cluster (`-c` does), and the storage
account and key are placeholders where the spec leaves them to the command line.
"""

from __future__ import annotations

import json
import shlex
from typing import Final

from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.resource import Resource

SCHEMA_URL: Final = "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-05-01/"
_FILES: Final = {Kind.FILE_SERVER: "nfs", Kind.CLUSTER: "cluster", Kind.JOB: "job"}
"""Kind -> the published schema's name, which is the usual name of the file as well."""


def to_files(compilation: Compilation) -> dict[str, str]:
    """Return file name -> text: a file for each resource that takes one, and `commands.sh`.

    The only job of a spec is in `job.json`, the jobs of a spec with several in `NAME.job.json`;
    likewise clusters and file servers.
    """
    files: dict[str, str] = {}
    commands = ["#!/bin/sh", "set -e"]
    for resource in compilation.resources:
        name = None
        if stem := _FILES.get(resource.id.kind):
            alone = len(compilation.of_kind(resource.id.kind)) == 1
            name = f"{stem}.json" if alone else f"{resource.id.name}.{stem}.json"
            files[name] = _file_text(resource, stem)
        commands.append(_command(resource, name))
    files["commands.sh"] = "\n".join([*commands, ""])
    return files


def _file_text(resource: Resource, stem: str) -> str:
    wire = resource.to_wire()
    if resource.id.kind is Kind.JOB:
        wire["properties"].pop("cluster", None)
    document = {"$schema": f"{SCHEMA_URL}{stem}.json", **wire}
    return json.dumps(document, indent=4, ensure_ascii=False) + "\n"


def _command(resource: Resource, file: str | None) -> str:
    id = resource.id
    verb = "file-server" if id.kind is Kind.FILE_SERVER else id.kind.singular
    words = ["az", "batchai", verb, "create", "-n", id.name, "-g", id.resource_group]
    if id.kind is Kind.WORKSPACE:
        words += ["-l", resource.to_wire()["location"]]
    else:
        words += ["-w", id.workspace]
    if id.kind is Kind.JOB:
        cluster = resource.to_wire()["properties"]["cluster"]["id"]
        parsed = ResourceId.parse(cluster)
        same = parsed == id.sibling(Kind.CLUSTER, parsed.name)
        words += ["-e", str(id.experiment), "-c", parsed.name if same else cluster]
    if file:
        words += ["-f", file]
    return shlex.join(words)
