"""The secrets that stand in plain text in a wire form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.linter.secrets.prefilter import has_word, is_suspect
from bai.specs.findings import Path

if TYPE_CHECKING:
    from bai.linter.secrets.search import Secret

_PLACES = ("accountKey", "password", "adminUserPassword", "instrumentationKey")
"""Keys behind which Batch AI's own format has a secret."""
_LONGEST = 200_000
"""Characters of a text that are looked at."""


class PlainSecret(NamedTuple):
    """A secret in a text."""

    path: Path
    """Where the text stands."""
    secret: Secret
    variable: str | None
    """The environment variable that it is the value of."""
    in_its_place: bool
    """Whether the format has a secret here, which the service keeps to itself."""


@memo
def plain_secrets(resource: ResourceView) -> list[PlainSecret]:
    """Return the secrets in a resource's texts."""
    chosen: dict[Path, None] = {}
    for path, _ in resource.texts_at(*_PLACES):
        chosen[path] = None
    for path, _ in resource.texts_at("value"):
        if "secrets" in path:
            chosen[path] = None
    for path, text in resource.texts_at("name"):
        # What a variable is called may tell of a value that looks harmless for itself.
        if has_word(text):
            chosen[*path[:-1], "value"] = None
    for path, text in resource.texts:
        if is_suspect(text[:_LONGEST]):
            chosen[path] = None
    return [found for path in chosen for found in _look(resource, path)]


def _look(resource: ResourceView, path: Path) -> list[PlainSecret]:
    text = resource.text(*path)
    if not text:
        return []
    from bai.linter.secrets.search import find, in_place

    last = path[-1] if path else None
    variable = resource.text(*path[:-1], "name") if last == "value" else None
    in_its_place = last in _PLACES or (last == "value" and "secrets" in path)
    if in_its_place:
        kept = in_place(text)
        return [PlainSecret(path, kept, variable, in_its_place)] if kept else []
    found = find(text[:_LONGEST], variable or "")
    return [PlainSecret(path, each, variable, in_its_place) for each in found]
