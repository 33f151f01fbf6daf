"""BAI414: a declared input or output is used, where all possible uses can be checked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import DIRECTORY_LISTS, PREFIX
from bai.compiler.resources.ids import Kind
from bai.linter.facts.variables import directory_ids, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

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
