"""BAI610: references to secrets stand where they are looked up.

Under `environment`, `env:API_TOKEN` is only a text: the job gets it as it is and sends it as its
token. The same goes for `env:NAME` in Batch AI's own files, which know no such form;
bai reads `<secret env:NAME>` there, in the places for secrets. Where all of an `environment` are
references, `bai lint --fix` renames it to `secrets`.

Wrong (job):

    environment: {API_TOKEN: "env:API_TOKEN"}

Right (job):

    secrets: {API_TOKEN: "env:API_TOKEN"}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.resource_view import ResourceView, RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Path, Severity

_BEGINNINGS: Final = ("env:", "file:", "<secret ")
_PLACES: Final = ("accountKey", "password", "adminUserPassword", "instrumentationKey")


def _check(context: RuleContext) -> Iterator[Violation]:
    for resource in context.items:
        # A pass has told it of specs.
        if resource.is_compiled:
            continue
        for path, text in resource.texts_at("value", *_PLACES):
            if text.startswith(_BEGINNINGS):
                yield from _of_text(resource, path, text)


def _of_text(resource: ResourceView, path: Path, text: str) -> Iterator[Violation]:
    from bai.linter.secrets.references import is_reference

    key = path[-1]
    name = (resource.text(*path[:-1], "name") or "") if key == "value" else str(key)
    if "environmentVariables" in path:
        if text.startswith("<secret ") or is_reference(text, name):
            message = f"nothing looks up {text!r} here: the variable gets this very text"
            yield Violation(resource, path, message, "move the variable to `secrets`")
    elif (key != "value" or "secrets" in path) and is_reference(text, "secret"):
        message = f"nothing looks up {text!r} here: it is taken for the secret itself"
        yield Violation(resource, path, message, f"write <secret {text}> for bai")


RULE = Rule("BAI610", "a reference to a secret that nothing looks up", _check, Severity.WARNING)
