"""Check a compilation for values that bai understands and `az batchai` does not."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.compilation import UNNAMED, Compilation
from bai.compiler.resources.binds import bound_directory
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.texts import texts
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, by_place
from bai.specs.secrets import STORAGE_KEY, parse_secret_marker


def check_for_az(compilation: Compilation) -> tuple[Finding, ...]:
    """Return a warning for each value in the files of `to_files` that has no meaning in Azure."""
    found = [*_names(compilation)]
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
