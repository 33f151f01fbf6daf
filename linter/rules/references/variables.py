"""The rules about uses of the service's variables and of short references to directories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import (
    AZURE_BATCH,
    CLUSTER_ROOT,
    DIRECTORY_LISTS,
    JOB_ROOT,
    NAMES,
    PREFIX,
    TOOLKITS,
    directory,
    toolkit_names,
)
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.mount_roots import Position, root_paths, visible_mounts
from bai.linter.facts.toolkits import only_toolkit
from bai.linter.facts.variables import (
    Use,
    directory_ids,
    directory_list,
    former_variable,
    known_names,
    meant_variable,
    uses_in,
    variable_uses,
)
from bai.linter.resource_view import ResourceView
from bai.linter.rules.references.variable_rule import OWN_MOUNTS, Words, variable_rule
from bai.linter.rules.rule import EVERY_TEXT, OWN_VARIABLES, context_rule, rule, without
from bai.linter.violation import Part, Range, Violation
from bai.specs.findings import Path
from bai.specs.names import listed, nearest
from bai.specs.reference_groups import TO_VARIABLES, one_of

_REFERENCE: Final = rf"\$\{{{one_of(TO_VARIABLES)}\.[^{{}}]*\}}"
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
    begin, hint = f"${PREFIX}{group}_", f"declare {id} under {directory_list(job, group)}"
    if near := nearest(id, known):
        hint = f"did you mean {begin}{near}?"
    elif known:
        hint = f"{listed(begin + each for each in known)}; or {hint}"
    return f"{use.name} is not declared", hint


@rule("BAI408", accepts={EVERY_TEXT: without(r"\$\{[a-z]")})
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


@context_rule("BAI416", Kind.JOB, accepts=OWN_MOUNTS)
def own_mounts(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    mounts = visible_mounts(job, context)
    own = mounts[JOB_ROOT]
    # Where the cluster's mounts are known, BAI506 reports it.
    if own is None or mounts[CLUSTER_ROOT] is not None:
        return
    for path in root_paths(job):
        if path.use.name != CLUSTER_ROOT or path.path.startswith("."):
            continue
        # A spec can say that it means the cluster's.
        if f"${{cluster.mounts.{path.path.split('/')[0]}" in job.source:
            continue
        if path.among(own)[0] is Position.MOUNTED:
            message = f"{path.path} is on a mount of the job, not below ${CLUSTER_ROOT}"
            hint = f"write ${JOB_ROOT}, unless the cluster has such a mount, too"
            yield Violation(Part(path.use.path, path.use.written), message, hint)


@rule("BAI417")
def unexpanded_variables(resource: ResourceView) -> Iterator[Violation]:
    for use in uses_in(resource.variable_texts[1]):
        if use.is_known and use.path[-1] not in _WITH_RULES:
            message = f"{use.written} is not expanded here"
            hint = "paths, commands and arguments may use it: write what it stands for"
            yield Violation(Part(use.path, use.written), message, hint)


@variable_rule("BAI411")
def known_variables(use: Use, resource: ResourceView) -> Words | None:
    """Every AZ_BATCHAI variable that is used exists."""
    if use.is_known or use.name in AZURE_BATCH:
        return None
    hint = _hint(resource, use.name)
    return (f"the service sets no variable {use.name}", hint) if hint else None


def _hint(resource: ResourceView, name: str) -> str | None:
    """Return what to do about an unknown variable; None if it may be the user's own."""
    if replaced := former_variable(name):
        return replaced
    if name.startswith(PREFIX):
        # The longest one, since AZ_BATCHAI_JOB_TEMP_DIR begins with AZ_BATCHAI_JOB_TEMP.
        beginnings = (each for each in known_names(resource) if name.startswith(each))
        beginning = max(beginnings, key=len, default=name)
        rest = name.removeprefix(beginning)
        if rest and rest not in ("S", "s") and not rest.startswith("_"):
            return f"to put {rest} behind a variable, write ${{{beginning}}}{rest}"
    if near := meant_variable(resource, name):
        return f"did you mean {near}?"
    return f"all that begin with {PREFIX} are its own" if name.startswith(PREFIX) else None


_WRONG: Final = r"\$\(\s*(AZ_BATCH\w*)\s*\)|%(AZ_BATCH\w*)%|\$\{\{?\s+(AZ_BATCH\w*)\s*\}\}?"

_ESCAPED: Final = r"(?<![\\$])\$\$(?:\{(?P<braced>AZ_BATCH\w*)\}|(?P<bare>AZ_BATCH\w*))"


@rule(
    "BAI415",
    accepts={EVERY_TEXT: without("^AZ_BATCH|%AZ_BATCH"), OWN_VARIABLES: {}},
)
def variable_forms(resource: ResourceView) -> Iterator[Violation]:
    """A variable is written as `$NAME` or `${NAME}`."""
    for path, text in resource.texts if "AZ_BATCH" in resource.joined else ():
        if "AZ_BATCH" not in text:
            continue
        if "$$" in text and resource.is_expanded(path):
            yield from _escaped(path, text)
        # Nearly all texts end here: they have nothing that `_WRONG` needs.
        if not ("{" in text or "(" in text or "%" in text or text.startswith("AZ_")):
            continue
        if not resource.is_expanded(path):
            continue
        if (bare := _bare(text)) and _is_path(path):
            message = f"{bare} without a $ is a directory of that name"
            yield Violation(Part(path, bare), message, f"write ${bare}")
        for match in re.finditer(_WRONG, text):
            name = next(filter(None, match.groups()))
            message = f"{match[0]} does not stand for the variable"
            yield Violation(Part(path, match[0]), message, f"write ${name}")


def _escaped(path: Path, text: str) -> Iterator[Violation]:
    """Iterate over the violations of variables in a text that `$$` escapes by mistake."""
    for match in re.finditer(_ESCAPED, text):
        name = match["braced"] or match["bare"]
        is_known = name in NAMES or directory(name) is not None
        # A value that is set before the toolkit's own variables may leave them to the script.
        is_early = name in TOOLKITS and path[-1] == "value"
        # Text in single quotes may be for another shell.
        if is_known and not is_early and text.count("'", 0, match.start()) % 2 == 0:
            message = f"{match[0]} stays a text: $$ does not begin a variable"
            yield Violation(Range(path, *match.span()), message, f"write {match[0][1:]}")


def _bare(text: str) -> str | None:
    """Return the variable that a path begins with, if it lacks its `$`."""
    if not text.startswith("AZ_BATCH"):
        return None
    name = text.partition("/")[0]
    return name if name in NAMES or directory(name) else None


def _is_path(path: Path) -> bool:
    """Return whether the value is a file path, and not a command or free text."""
    key = str(path[-1])
    return key == "path" or key.endswith(("Path", "PathPrefix", "pathPrefix"))


_TOOLS: Final = frozenset(
    "cat cp cut date df du echo false grep head hostname ls md5sum mkdir mv nvidia-smi pwd rm"  # noqa: SIM905
    " sha256sum sleep sort tail tar tee touch true uname uniq wc".split()
)
"""Programs that read no variable of the service from their environment."""
_ENDS: Final = r"&&|\|\||[;|&\n]"
_UNCLEAR: Final = "[`'\"\\\\(]"
"""Characters behind which another command may hide."""


@rule("BAI414", Kind.JOB, needs_all=True, keys=("customToolkitSettings",))
def unused_directories(job: ResourceView) -> Iterator[Violation]:
    """A declared input or output is used, where all possible uses can be checked."""
    ids = directory_ids(job)
    if not any(ids.values()) or not _is_in_sight(job):
        return
    used = {use.directory for use in variable_uses(job)} - {None}
    declared = {(group, id) for group, known in ids.items() for id in known}
    # An undeclared one may be this one misspelt, which BAI404 reports.
    if not used or not used <= declared:
        return
    for group, name in DIRECTORY_LISTS.items():
        for path, entry in job.entries("properties", name):
            id = entry.get("id")
            if isinstance(id, str) and (group, id) not in used:
                message = f"nothing uses the {group.lower()} {id}"
                hint = f"use ${PREFIX}{group}_{id}, or leave it out"
                yield Violation((*path, "id"), message, hint)


def _is_in_sight(job: ResourceView) -> bool:
    """Return whether every command of a job uses only plain tools."""
    command = job.text("properties", "customToolkitSettings", "commandLine")
    if command is None or not _is_plain(command):
        return False
    preparation = job.text("properties", "jobPreparation", "commandLine")
    return preparation is None or _is_plain(preparation)


def _is_plain(command: str) -> bool:
    if re.search(_UNCLEAR, command):
        return False
    first = (part.split(None, 1)[:1] for part in re.split(_ENDS, command))
    return all(words[0] in _TOOLS for words in first if words)
