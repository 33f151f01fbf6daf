"""BAI507: logs and outputs are on a mount, where they outlive the node."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT, TEMPORARY
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.mount_roots import OWNERS, Position, RootPath, root_paths, visible_mounts
from bai.linter.facts.variables import Use, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.references.path_variables import has_other_variables
from bai.linter.rules.references.variable_rule import OWN_MOUNTS
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation
from bai.specs.findings import Path

_KEYS = ("stdOutErrPathPrefix", "pathPrefix")
_WRONG = ("${", "$(", "%", "AZ_BATCH")
"""How paths begin in which a reference or a variable is wrong, which is an error of its own."""

_DIRECTORIES = {"inputs": "inputDirectories", "outputs": "outputDirectories"}
"""Group of references -> key of a job's entries that they name."""


@context_rule("BAI507", Kind.JOB, Kind.CLUSTER, needs_cluster=True, keys=_KEYS, accepts=OWN_MOUNTS)
def lasting_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    for what, path in _prefixes(resource):
        prefix = resource.text(*path)
        if prefix is None:
            continue
        use = _first_use(resource, path) if prefix.startswith("$") else None
        root_path = _from_root(resource, use) if use and use.name in OWNERS else None
        if root_path:
            place = _below_root(resource, root_path, context)
            if place is None and _is_undeclared(resource, root_path, context):
                yield _undeclared(path, what, root_path)
                continue
        elif resource.is_compiled and "{" in prefix and _lacks_dollar(resource, prefix, context):
            continue
        else:
            place = _elsewhere(prefix, use.name if use else None)
        if place:
            message = f"the {what} would stand {place} and be lost with the node"
            yield Violation(path, message, f"begin the path with {_form(resource)}")


def _first_use(resource: ResourceView, path: Path) -> Use | None:
    """Return the variable that the value at a path begins with, if it resembles the service's."""
    for use in variable_uses(resource):
        if use.start == 0 and use.path == path:
            return use
    return None


def _from_root(resource: ResourceView, use: Use) -> RootPath | None:
    """Return the path that begins with a use of the variable of a mount root."""
    return next(each for each in root_paths(resource) if each.use is use)


def _elsewhere(prefix: str, variable: str | None) -> str | None:
    """Return where a path outside of the mount roots leads; None if that is not certain.

    `variable` is the variable at the path's beginning, if it resembles one of the service.
    """
    if variable:
        # Other rules report variables that hold no paths.
        return "in a directory of the job" if variable in TEMPORARY else None
    if prefix.startswith(_WRONG) or is_expression(prefix) or has_other_variables(prefix):
        return None
    return "on no mount"


def _lacks_dollar(resource: ResourceView, prefix: str, context: RuleContext) -> bool:
    """Return whether a path's first name holds a reference without its dollar: BAI319."""
    # Imported here, since Batch AI's own files do not need it.
    from bai.compiler.passes.reference_forms import may_be_program, misspelt_references

    first = next(misspelt_references(prefix), None)
    if first is None or "/" in prefix[: first.start] or may_be_program(prefix):
        return False
    if first.group == "mounts":
        mounts = visible_mounts(resource, context).values()
        return any(first.name in each.paths for each in mounts if each)
    entries = resource.entries("properties", _DIRECTORIES[first.group])
    return any(entry.get("id") == first.name for _, entry in entries)


def _below_root(resource: ResourceView, path: RootPath, context: RuleContext) -> str | None:
    """Return where a path from a mount root leads; None if that is, or may be, to a mount."""
    root = path.use.name
    if root == JOB_ROOT and resource.kind is Kind.CLUSTER:
        return None
    if path.path == ".." or path.path.startswith("../"):
        return "outside the mount root"
    if path.path == ".":
        # The service alone may know the rest of the path.
        return None if path.use.rest.strip("/.") else "in the mount root itself"
    mounts = visible_mounts(resource, context)[root]
    is_parent = mounts is not None and path.among(mounts)[0] is Position.PARENT
    return "beside the mounts" if is_parent else None


def _is_undeclared(job: ResourceView, path: RootPath, context: RuleContext) -> bool:
    """Return whether a path is on a mount of a cluster that is not known, of a job with mounts."""
    is_below = path.use.name == CLUSTER_ROOT and path.path != "."
    if job.kind is not Kind.JOB or job.is_compiled or not is_below:
        return False
    mounts = visible_mounts(job, context)
    of_job = mounts[JOB_ROOT]
    if mounts[CLUSTER_ROOT] is not None or of_job is None or not of_job.paths:
        return False
    # BAI416 reports paths to mounts of the job below the other root.
    return path.among(of_job)[0] is Position.UNMOUNTED


def _undeclared(path: Path, what: str, root_path: RootPath) -> Violation:
    name = root_path.path.partition("/")[0]
    message = f"the {what} would stand on the cluster's mount {name!r}, which nothing here declares"
    hint = (
        f"write ${JOB_ROOT}/NAME for a mount of the job, or name the cluster's file with --cluster"
    )
    return Violation(path, message, hint)


def _prefixes(resource: ResourceView) -> Iterator[tuple[str, Path]]:
    """Iterate over (description, path) of the values that lead to logs and outputs."""
    if resource.kind is Kind.CLUSTER:
        yield "setup task's logs", ("properties", "nodeSetup", "setupTask", "stdOutErrPathPrefix")
        return
    yield "logs", ("properties", "stdOutErrPathPrefix")
    for path, entry in resource.entries("properties", "outputDirectories"):
        yield f"output {entry.get('id')}", (*path, "pathPrefix")


def _form(resource: ResourceView) -> str:
    if resource.is_compiled:
        return "${mounts.NAME}"
    return f"${CLUSTER_ROOT if resource.kind is Kind.CLUSTER else JOB_ROOT}/NAME"
