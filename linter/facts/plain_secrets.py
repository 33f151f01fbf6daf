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
    paths = [path for path, _ in resource.texts_at(*_PLACES)]
    paths += [path for path, _ in resource.texts_at("value") if "secrets" in path]
    # A variable's name may show that its value, harmless by itself, is a secret.
    paths += [(*path[:-1], "value") for path, name in resource.texts_at("name") if has_word(name)]
    paths += [path for path, text in resource.texts if is_suspect(text[:_LONGEST])]
    return [found for path in dict.fromkeys(paths) for found in _secrets_at(resource, path)]


def _secrets_at(resource: ResourceView, path: Path) -> list[PlainSecret]:
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
