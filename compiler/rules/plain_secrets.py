"""The secrets that stand in plain text in a wire form."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bai.compiler.analysis.secrets import Secret, find, suspects
from bai.specs.findings import Path

if TYPE_CHECKING:
    from bai.compiler.rules.subject import Subject

_PLACES = frozenset(("accountKey", "password", "adminUserPassword", "instrumentationKey"))
"""Keys behind which Batch AI's own format has a secret."""


class PlainSecret(NamedTuple):
    """A secret in a text."""

    path: Path
    """Where the text stands."""
    secret: Secret
    variable: str | None
    """The environment variable that it is the value of."""
    in_its_place: bool
    """Whether the format has a secret here, which the service keeps to itself."""


def plain_secrets(subject: Subject) -> list[PlainSecret]:
    """Return the secrets in a subject's texts."""
    texts = subject.texts
    chosen = {path: None for path, _ in texts if _has_place(path)}
    for index in suspects([text for _, text in texts]):
        path = texts[index][0]
        # What a variable is called may tell of a value that looks harmless for itself.
        chosen[(*path[:-1], "value") if path[-1:] == ("name",) else path] = None
    return [found for path in chosen for found in _look(subject, path)]


def _look(subject: Subject, path: Path) -> list[PlainSecret]:
    text = subject.text(*path)
    if text is None:
        return []
    variable = subject.text(*path[:-1], "name") if path[-1:] == ("value",) else None
    in_its_place = _has_place(path)
    name = "secret" if in_its_place else variable or ""
    return [PlainSecret(path, each, variable, in_its_place) for each in find(text, name)]


def _has_place(path: Path) -> bool:
    """Return whether the format has a secret at a path."""
    return bool(path) and (path[-1] in _PLACES or (path[-1] == "value" and "secrets" in path))
