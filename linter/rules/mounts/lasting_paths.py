"""BAI507: logs and outputs stand on a mount, where they can be found afterwards.

Logs and outputs stay where the path before them leads. On a mount they outlive the job; anywhere
else, in `$AZ_BATCHAI_JOB_TEMP` for example, they stand on the node's own disk: no command lists or
downloads them, and they go with the node. That holds for the mount roots themselves as well, which
are directories of the node, and for the logs of a setup task, which has its cluster's mounts only.

Wrong (job):

    outputs: {MODEL: $AZ_BATCHAI_JOB_TEMP/model}

Right (job):

    outputs: {MODEL: "${mounts.data}/model"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT, TEMPORARY
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.roots import Below, Mounts, root_uses
from bai.linter.facts.tree import Place
from bai.linter.facts.variable_uses import Use, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation
from bai.specs.findings import Path

_WRONG = ("${", "$(", "%", "AZ_BATCH")
"""How paths begin in which a reference or a variable is wrong, which is an error of its own."""


@context_rule("BAI507", Kind.JOB, Kind.CLUSTER, needs_cluster=True)
def lasting_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    roots = {use.path: (use, place) for use, place in root_uses(resource) if use.start == 0}
    leading = {use.path: use.name for use in variable_uses(resource) if use.start == 0}
    for what, path in _prefixes(resource):
        prefix = resource.text(*path)
        if prefix is None:
            continue
        if path in roots:
            fate = _beside(resource, *roots[path], context)
        else:
            fate = _elsewhere(prefix, leading.get(path))
        if fate:
            message = f"the {what} would stand {fate} and be lost with the node"
            yield Violation(path, message, f"begin the path with {_form(resource)}")


def _elsewhere(prefix: str, variable: str | None) -> str | None:
    """Return where something would stand that is below no mount root; None if it is not certain.

    `variable` is what the path begins with, if it is like a variable of the service.
    """
    if variable:
        # That other variables make no paths is the concern of other rules.
        return "in a directory of the job" if variable in TEMPORARY else None
    return None if prefix.startswith(_WRONG) or is_expression(prefix) else "on no mount"


def _beside(resource: ResourceView, use: Use, place: Below, context: RuleContext) -> str | None:
    """Return where something would stand that is below a mount root, but on no mount."""
    if use.name == JOB_ROOT and resource.kind is Kind.CLUSTER:
        return None
    if place.path == ".." or place.path.startswith("../"):
        return "outside the mount root"
    if place.path == ".":
        return None if _goes_on(use) else "in the mount root itself"
    known = Mounts.seen_by(resource, context).at(use.name)
    is_above = known is not None and place.among(known)[0] is Place.ABOVE
    return "beside the mounts" if is_above else None


def _goes_on(use: Use) -> bool:
    """Return whether a path goes on with something that only the service can tell."""
    return use.rest.strip("/.") != ""


def _prefixes(resource: ResourceView) -> Iterator[tuple[str, Path]]:
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
