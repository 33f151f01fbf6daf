"""Files for `az batchai`, the commands that take them, and values that it does not understand.

The files are in the form for reuse: a job does not name its cluster (`-c` does), and the storage
account and key are placeholders where the spec leaves them to the command line.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.batchai.recognition import FILES
from bai.compiler.compilation import UNNAMED, Compilation
from bai.compiler.emit.az_script import script
from bai.compiler.passes.gpus import check_counts
from bai.compiler.resources.binds import bound_directory
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.reserved import CODE_VARIABLE
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.texts import texts
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, by_place
from bai.specs.secrets import STORAGE_KEY, parse_secret_marker

_CONTEXT_SIZE: Final = "or vm-size into the context"
SCHEMA_URL: Final = "https://raw.githubusercontent.com/Azure/BatchAI/master/schemas/2018-05-01/"


def folder_name(compilation: Compilation) -> str:
    """Return the name of the folder for the files of one spec of several."""
    for experiment in compilation.of_kind(Kind.EXPERIMENT):
        return experiment.id.name
    # All but the last one are what it stands on.
    id = compilation.resources[-1].id
    return f"{id.kind.singular}-{id.name}"


def to_files(compilation: Compilation) -> dict[str, str]:
    """Return file name -> text: a file for each resource that takes one, and `commands.sh`.

    The only job of a spec is in `job.json`, the jobs of a spec with several in `NAME.job.json`;
    likewise clusters and file servers.
    """
    files: dict[str, str] = {}
    names: dict[ResourceId, str] = {}
    for resource in compilation.resources:
        if resource.id.kind in FILES:
            _, usual = FILES[resource.id.kind]
            alone = len(compilation.of_kind(resource.id.kind)) == 1
            name = usual if alone else f"{resource.id.name}.{usual}"
            files[name] = _file_text(resource, usual)
            names[resource.id] = name
    return files | {"commands.sh": script(compilation, names)}


def _file_text(resource: Resource, schema: str) -> str:
    wire = resource.to_wire()
    if resource.id.kind is Kind.JOB:
        wire["properties"].pop("cluster", None)
    if resource.code:
        _enter_code(wire["properties"])
    document = {"$schema": f"{SCHEMA_URL}{schema}", **wire}
    return json.dumps(document, indent=4, ensure_ascii=False) + "\n"


def _enter_code(properties: dict[str, Any]) -> None:
    """Let the command lines of a job begin in its code: the service starts them elsewhere."""
    for key in ("jobPreparation", "customToolkitSettings", "customMpiSettings"):
        if key in properties:
            line = f'cd "${CODE_VARIABLE}" && {properties[key]["commandLine"]}'
            if key == "customMpiSettings":
                # mpirun starts a program, and no shell.
                line = shlex.join(["bash", "-c", line])
            properties[key]["commandLine"] = line


def check_for_az(compilation: Compilation) -> tuple[Finding, ...]:
    """Return a finding for each value in the files of `to_files` that has no meaning in Azure.

    One without which nothing can be made there is an error.
    """
    found = [*_names(compilation), *_sizes(compilation), *check_counts(compilation)]
    for resource in compilation.resources:
        found += _texts(resource)
    return tuple(sorted(found, key=by_place))


def _names(compilation: Compilation) -> Iterator[Finding]:
    """Warn of the placeholder names of a context without names."""
    for workspace in compilation.of_kind(Kind.WORKSPACE):
        names = {
            "resourceGroup": workspace.id.resource_group,
            "workspace": workspace.id.workspace,
            "location": workspace.to_wire()["location"],
        }
        if unset := [key for key, name in names.items() if name == UNNAMED]:
            keys = ", ".join(unset)
            message = f"nothing names the {keys}: commands.sh says {UNNAMED!r}"
            hint = f"write {keys} under metadata, or into the context"
            yield make_finding("BAI211", message, workspace.span(), hint)


def _sizes(compilation: Compilation) -> Iterator[Finding]:
    """Report clusters and file servers whose size nothing says."""
    declared = {
        Kind.CLUSTER: f"write vmSize: STANDARD_NC6, say, below the cluster; {_CONTEXT_SIZE}",
        Kind.FILE_SERVER: "write vmSize: STANDARD_DS2_V2, say, below the file server",
    }
    made = f"declare the cluster below `clusters`, with its vmSize and scale; {_CONTEXT_SIZE}"
    for kind, hint in declared.items():
        for machine in compilation.of_kind(kind):
            if machine.to_wire()["properties"]["vmSize"] == UNNAMED:
                name = f"{FILES[kind][0]} {machine.id.name}"
                message = f"nothing says the vmSize of the {name}, which Azure needs"
                way = made if machine.remark else hint
                yield make_finding("BAI215", message, machine.span(), way)


def _texts(resource: Resource) -> Iterator[Finding]:
    for path, text in texts(resource.to_wire()).found:
        span = resource.span(*path)
        if path[-1] == "mountCommand" and (directory := bound_directory(text)):
            message = f"a node in Azure has no directory {directory} of this machine to mount"
            hint = "upload it to a share, and mount that: azureFile:SHARE"
            yield make_finding("BAI530", message, span, hint)
            continue
        try:
            ref = parse_secret_marker(text)
        except ValueError:
            continue
        if ref != STORAGE_KEY:
            place = f"{ref.source}:{ref.name}"
            message = f"`az batchai` does not look up {place}: the file holds {text!r} in its place"
            hint = "put the value itself there before you use the file"
            yield make_finding("BAI620", message, span, hint)
