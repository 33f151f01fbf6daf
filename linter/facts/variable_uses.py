"""Where a resource uses the service's environment variables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bai.compiler.batchai.variables import DIRECTORY_LISTS
from bai.linter.cache import cached
from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

# `$$` is a dollar sign, or the shell's process id: what follows it is no variable.
_USE = re.compile(r"\$(?:\$|(\{[#!]?)?(AZ(?:URE)?_?BATCH\w*))", re.IGNORECASE | re.ASCII)
_FALLBACK: Final = re.compile(":?[-+=?]")
"""What makes the shell do without the variable, as in `${NAME:-none}`."""


class Use(NamedTuple):
    """One `$NAME` or `${NAME}`, whose name is like one of the service's."""

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
    return [use for path, text in resource.expanded_texts for use in uses_of_text(path, text)]


def uses_of_text(path: Path, text: str) -> Iterator[Use]:
    """Iterate over the uses in one text, whether it is expanded or not."""
    for found in _found(text):
        yield Use(path, text, *found)


@cached
def _found(text: str) -> Sequence[tuple[str, int, int, bool]]:
    """Return (name, start, end, has_fallback) of the uses in a text."""
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
        found.append((name, match.start(), end, has_fallback))
    return found


@memo
def directory_ids(job: ResourceView) -> dict[str, dict[str, None]]:
    """Return the declared ids of inputs and of outputs, in order, by `INPUT` and `OUTPUT`."""
    found: dict[str, dict[str, None]] = {}
    for group, name in DIRECTORY_LISTS.items():
        ids = (entry.get("id") for _, entry in job.entries("properties", name))
        found[group] = dict.fromkeys(id for id in ids if isinstance(id, str))
    return found
