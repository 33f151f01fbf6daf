"""BAI610: references to secrets stand where they are looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, rule, without
from bai.linter.violation import Violation
from bai.specs.findings import Path

if TYPE_CHECKING:
    from bai.specs.document import Document

_BEGINNINGS: Final = ("env:", "file:", "<secret ")
_OF_JOB: Final = ("properties", "environmentVariables")
_OF_SETUP_TASK: Final = ("properties", "nodeSetup", "setupTask", "environmentVariables")
_PLACES: Final = ("accountKey", "password", "adminUserPassword", "instrumentationKey")


@rule(
    "BAI610",
    keys=("value", *_PLACES),
    accepts={EVERY_TEXT: without(f"^(?:{'|'.join(_BEGINNINGS)})")},
)
def literal_references(resource: ResourceView) -> Iterator[Violation]:
    if resource.spec:
        yield from _of_spec(resource, resource.spec)
        return
    for path, text in resource.texts_at("value", *_PLACES):
        if text.startswith(_BEGINNINGS):
            yield from _of_text(resource, path, text)


def is_reference(text: str, name: str) -> bool:
    """Return whether a text is meant as a reference to a secret: `env:NAME`, `file:PATH`.

    Args:
        text: the text.
        name: the name of the value. `file:/data` alone may be a URL, and `env:prod` a label; under
            the name of a secret they are neither.
    """
    from bai.linter.secrets.names import secret_kind

    source, _, rest = text.partition(":")
    if source == "env":
        pattern = r"[A-Za-z_]\w*" if secret_kind(name, variable=True) else r"[A-Z_][A-Z0-9_]*"
        return re.fullmatch(pattern, rest, re.ASCII) is not None
    if source == "file":
        is_url = rest.startswith("//")
        return bool(rest) and not is_url and secret_kind(name, variable=True) is not None
    return False


def _of_spec(resource: ResourceView, spec: Document) -> Iterator[Violation]:
    from bai.specs.document import value_at
    from bai.specs.source.edits import rename_key

    variables, source = _environment(resource, spec)
    found = []
    for path, entry in resource.entries(*variables):
        name = entry["name"]
        # The wire form has the text with its references expanded, but also what stands behind a
        # misspelt key.
        text = value_at(spec.data, (*source, name), entry["value"])
        if isinstance(text, str) and is_reference(text, name):
            found.append((path, name, text))
    if not found:
        return
    is_all = len(found) == len(resource.entries(*variables))
    fix = rename_key(spec, source, "secrets") if is_all else None
    for path, name, text in found:
        message = f"nothing looks up {text!r} here: the variable gets this very text"
        hint = f"write it under `secrets`: {name}: {text}"
        yield Violation((*path, "value"), message, hint, fix=fix)


def _environment(resource: ResourceView, spec: Document) -> tuple[Path, Path]:
    """Return the paths of a resource's variables in its wire form and in its spec."""
    assert resource.id
    name = resource.id.name
    if resource.kind is Kind.JOB:
        return _OF_JOB, ("spec", "jobs", name, "environment")
    cluster: Path = ("spec", "clusters", name)
    # A cluster may also be all of its document.
    at = cluster if cluster in spec.keys else ("spec",)
    return _OF_SETUP_TASK, (*at, "setupTask", "environment")


def _of_text(resource: ResourceView, path: Path, text: str) -> Iterator[Violation]:
    key = path[-1]
    name = (resource.text(*path[:-1], "name") or "") if key == "value" else str(key)
    if "environmentVariables" in path:
        if text.startswith("<secret ") or is_reference(text, name):
            message = f"nothing looks up {text!r} here: the variable gets this very text"
            yield Violation(path, message, "move the variable to `secrets`")
    elif (key != "value" or "secrets" in path) and is_reference(text, "secret"):
        message = f"nothing looks up {text!r} here: it is taken for the secret itself"
        yield Violation(path, message, f"write <secret {text}> for bai")
