"""The environment variables of a wire form: where they are set, and where they are used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bai.compiler.batchai.variables import DIRECTORY_LISTS, FORMER, NAMES, PREFIX, directory
from bai.compiler.resources.ids import Kind
from bai.linter.cache import cached
from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path
from bai.specs.names import nearest

LISTS: Final = ("environmentVariables", "secrets")

_HOLDERS: Final[dict[Kind, Path]] = {
    Kind.JOB: ("properties",),
    Kind.CLUSTER: ("properties", "nodeSetup", "setupTask"),
}
# `$$` is a dollar sign, or the shell's process id: what follows it is no variable.
_USE: Final = re.compile(r"\$(?:\$|(\{[#!]?)?(AZ(?:URE)?_?BATCH\w*))", re.IGNORECASE | re.ASCII)
_FALLBACK: Final = re.compile(":?[-+=?]")
"""What makes the shell do without the variable, as in `${NAME:-none}`."""
_ASSIGNMENT: Final = re.compile(r"(?<![\w$])(AZ\w*)=", re.IGNORECASE | re.ASCII)
_ALIKE: Final = 0.9
"""How much a name that is not certainly the service's must be like one that is."""


def variable_entries(resource: ResourceView, kind: str) -> Sequence[tuple[Path, dict[str, Any]]]:
    """Return (path, entry) of one of the `LISTS` of variables of a job or a setup task."""
    holder = _HOLDERS.get(resource.kind)
    return resource.entries(*holder, kind) if holder else ()


@memo
def set_variables(resource: ResourceView) -> Sequence[tuple[Path, str]]:
    """Return (path, name) of the variables that a job or a setup task sets, in their order."""
    return [
        ((*path, "name"), name)
        for kind in LISTS
        for path, entry in variable_entries(resource, kind)
        if isinstance(name := entry.get("name"), str)
    ]


class Use(NamedTuple):
    """One `$NAME` or `${NAME}` with a name that is, or resembles, a variable of the service."""

    path: Path
    text: str
    """The whole text at `path`."""
    name: str
    start: int
    """Where in the text the `$` stands."""
    end: int
    """Where what follows the variable begins."""
    has_fallback: bool
    """Whether the shell copes where the variable is not set."""
    directory: tuple[str, str] | None
    """(`INPUT` or `OUTPUT`, id) of the directory that the variable is of, if it is of one."""
    is_known: bool
    """Whether it has the name of a variable that the service may set."""

    @property
    def written(self) -> str:
        """The variable as it is written."""
        return self.text[self.start : self.end]

    @property
    def rest(self) -> str:
        """What follows the variable."""
        return self.text[self.end :]


@memo
def variable_uses(resource: ResourceView) -> Sequence[Use]:
    """Return all uses in texts in which the service, or the shell, expands variables."""
    return uses_in(resource.variable_texts[0])


def uses_in(texts: Iterable[tuple[Path, str]]) -> list[Use]:
    """Return the uses in texts, expanded or not."""
    return [Use(path, text, *found) for path, text in texts for found in _found(text)]


@cached
def _found(text: str) -> Sequence[tuple[str, int, int, bool, tuple[str, str] | None, bool]]:
    """Return what `Use` has behind path and text, of the uses in a text."""
    found = []
    for match in _USE.finditer(text):
        brace, name = match.groups()
        if name is None:
            continue
        end = match.end()
        has_fallback = False
        if brace:
            has_fallback = _FALLBACK.match(text, end) is not None
            end += text.startswith("}", end)
        owner = directory(name)
        is_known = name in NAMES or owner is not None
        found.append((name, match.start(), end, has_fallback, owner, is_known))
    return found


def is_assigned(resource: ResourceView, use: Use) -> bool:
    """Return whether the text gives the variable a value of its own, as in `NAME=1; echo $NAME`."""
    return use.name in _assigned(resource)[use.path]


@memo
def _assigned(resource: ResourceView) -> Mapping[Path, frozenset[str]]:
    """Return the variables that each text with uses sets."""
    texts = {use.path: use.text for use in variable_uses(resource)}
    return {path: frozenset(_ASSIGNMENT.findall(text)) for path, text in texts.items()}


@memo
def directory_ids(job: ResourceView) -> dict[str, dict[str, None]]:
    """Return the declared ids of inputs and of outputs, in order, by `INPUT` and `OUTPUT`."""
    found: dict[str, dict[str, None]] = {}
    for group, name in DIRECTORY_LISTS.items():
        ids = (entry.get("id") for _, entry in job.entries("properties", name))
        found[group] = dict.fromkeys(id for id in ids if isinstance(id, str))
    return found


def directory_list(resource: ResourceView, group: str) -> str:
    """Return the key under which inputs or outputs are declared.

    Args:
        resource: a job.
        group: `INPUT` or `OUTPUT`.
    """
    return f"{group.lower()}s" if resource.is_compiled else DIRECTORY_LISTS[group]


def known_names(resource: ResourceView) -> list[str]:
    """Return the names of the variables that the service sets for a job."""
    own = [f"{PREFIX}{group}_{id}" for group, ids in directory_ids(resource).items() for id in ids]
    return [*sorted(NAMES), *own]


def meant_variable(resource: ResourceView, name: str) -> str | None:
    """Return the variable of the service that an unknown name most likely stands for, or None."""
    known = known_names(resource)
    if not name.startswith(PREFIX):
        return nearest(name, known, _ALIKE)
    # What all have in common would make them look alike.
    ends = {each.removeprefix(PREFIX).removeprefix("AZ_BATCH_"): each for each in known}
    near = nearest(name.removeprefix(PREFIX), ends)
    return ends[near] if near else None


def former_variable(name: str) -> str | None:
    """Return what replaced a variable of older API versions, in words; None for other names."""
    return next((words for former, words in FORMER.items() if name.startswith(former)), None)
