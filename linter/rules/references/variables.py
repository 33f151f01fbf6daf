"""The rules about uses of the service's variables and of short references to directories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import CLUSTER_ROOT, JOB_ROOT, TOOLKITS, toolkit_names
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.mount_roots import Position, root_paths, visible_mounts
from bai.linter.facts.toolkits import only_toolkit
from bai.linter.facts.variables import Use, directory_ids, directory_list, uses_in
from bai.linter.resource_view import ResourceView
from bai.linter.rules.references.variable_rule import Words, variable_rule
from bai.linter.rules.rule import context_rule, rule
from bai.linter.violation import Part, Violation
from bai.specs.names import suggestion

_REFERENCE: Final = r"\$\{(?:mounts|inputs|outputs)\.[^{}]*\}"
_RANKS: Final = ("customMpiSettings", "horovodSettings", "chainerSettings", "cntkSettings")
"""Toolkits whose processes have a rank from their library."""
_WITH_RULES: Final = frozenset(("relativeMountPath", "mountCommand"))
"""Keys that have rules of their own: BAI502 and BAI514."""


@variable_rule("BAI404", Kind.JOB)
def undeclared_directories(use: Use, job: ResourceView) -> Words | None:
    if use.directory is None:
        return None
    group, id = use.directory
    known = directory_ids(job)[group]
    if id in known:
        return None
    hint = suggestion(id, known) if known else f"declare {id} under {directory_list(job, group)}"
    return f"{use.name} is not declared", hint


@rule("BAI408", marks="{")
def unexpanded_references(resource: ResourceView) -> Iterator[Violation]:
    if resource.is_compiled:
        hint = "paths, commands, arguments and environment values of jobs may use it"
    else:
        hint = "only specs have short references: write the path itself"
    for path, text in resource.texts:
        if "${" in text and not (resource.is_compiled and resource.is_expanded(path)):
            for match in re.finditer(_REFERENCE, text):
                yield Violation(Part(path, match[0]), f"{match[0]} means nothing here", hint)


@variable_rule("BAI412", Kind.JOB, names=TOOLKITS)
def variables_of_other_toolkits(use: Use, job: ResourceView) -> Words | None:
    if "jobPreparation" in use.path:
        return None
    owners = TOOLKITS[use.name]
    toolkit = only_toolkit(job)
    if toolkit is None or toolkit in owners:
        return None
    hint = f"only jobs with {toolkit_names(owners, in_spec=job.is_compiled)} have it"
    if toolkit in _RANKS and use.name == "AZ_BATCHAI_TASK_INDEX":
        hint += "; the script gets its rank from MPI or Horovod"
    given = toolkit_names([toolkit], in_spec=job.is_compiled)
    return f"{use.name} is not set for {given}", hint


@context_rule("BAI416", Kind.JOB, marks="$")
def own_mounts(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    mounts = visible_mounts(job, context)
    own = mounts[JOB_ROOT]
    # Where the cluster's mounts are known, BAI506 reports it.
    if own is None or mounts[CLUSTER_ROOT] is not None:
        return
    for path in root_paths(job):
        if path.use.name != CLUSTER_ROOT or path.path.startswith("."):
            continue
        if path.among(own)[0] is Position.MOUNTED:
            message = f"{path.path} is on a mount of the job, not below ${CLUSTER_ROOT}"
            hint = f"write ${JOB_ROOT}, unless the cluster has such a mount, too"
            yield Violation(Part(path.use.path, path.use.written), message, hint)


@rule("BAI417", marks="$")
def unexpanded_variables(resource: ResourceView) -> Iterator[Violation]:
    for use in uses_in(resource.variable_texts()[1]):
        if use.is_known and use.path[-1] not in _WITH_RULES:
            message = f"{use.written} is not expanded here"
            hint = "paths, commands and arguments may use it: write what it stands for"
            yield Violation(Part(use.path, use.written), message, hint)
