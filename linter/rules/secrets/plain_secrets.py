"""The rules about secrets that stand in plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.compiler.resources.ids import Kind
from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import EVERY_TEXT, NEVER, Accepted, Rule, rule, without
from bai.linter.secrets.prefilter import NAME_WORDS, NO_SUSPECT, has_word, is_suspect
from bai.linter.violation import Range, Violation
from bai.specs.findings import Path
from bai.specs.placeholders import STORAGE_KEY_PLACEHOLDER

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


_OTHER_NAME: Final = {"pattern": "^[A-Z0-9_]+$", **without("|".join(NAME_WORDS).upper())}
_FLAG: Final = {"pattern": "^(?:[0-9]{1,3}|true|false)$"}
_CLEAN: Final[Accepted] = {
    EVERY_TEXT: NO_SUSPECT,
    "accountKey": {"enum": [STORAGE_KEY_PLACEHOLDER]},
    "password": NEVER,
    "EnvironmentVariableWithSecretValue.value": NEVER,
    "EnvironmentVariable": {
        "anyOf": [{"properties": {"name": _OTHER_NAME}}, {"properties": {"value": _FLAG}}]
    },
}
"""Values of job files among which no secret stands."""


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


_INSTEAD: Final = {
    "accountKey": "write <AZURE_BATCHAI_STORAGE_KEY>, or accountKeySecretReference",
    "password": "write passwordSecretReference",
    "adminUserPassword": "write adminUserSshPublicKey, which is no secret",
    "instrumentationKey": "write instrumentationKeySecretReference",
    "value": "write valueSecretReference, or `<secret env:NAME>` for bai",
}
"""Key -> what to write in its place."""


def misplaced_secret_rule(code: str, *, sure: bool) -> Rule:
    """Return the rule that reports secrets at places that are not for secrets.

    Args:
        code: the code of its findings.
        sure: whether it reports certain secrets, or texts that look like secrets.
    """

    def check(resource: ResourceView) -> Iterator[Violation]:
        for found in plain_secrets(resource):
            if found.secret.sure is sure and not found.in_its_place:
                what = found.secret.what if sure else f"what looks like {found.secret.what}"
                where = f"in the variable {found.variable}" if found.variable else "here"
                place = Range(found.path, found.secret.start, found.secret.end)
                yield Violation(
                    place, f"{what} stands {where} in plain text", _way(resource, found)
                )

    return rule(code, accepts=_CLEAN)(check)


def _way(resource: ResourceView, found: PlainSecret) -> str:
    """Return what to do about a secret at a place that is not for secrets."""
    if not resource.is_expanded(found.path) or resource.kind is Kind.FILE_SERVER:
        return "take it out, and replace it: who reads the file has it"
    if name := found.variable:
        if resource.is_compiled:
            way = f"write `secrets: {{{name}: env:{name}}}` instead"
            return f"{way}, and set {name} in the environment of bai"
        return f"put {name} into `secrets` instead, best with valueSecretReference"
    use = "use $NAME"
    if str(found.path[-1]).lower().endswith("commandlineargs"):
        use = "let the script read the variable: all users of a node can read arguments"
    if resource.is_compiled:
        return f"write `secrets: {{NAME: env:VARIABLE}}`, or keyVault, and {use}"
    return f"put it into `secrets`, best with valueSecretReference, and {use}"


RULES: Final = (
    misplaced_secret_rule("BAI607", sure=True),
    misplaced_secret_rule("BAI608", sure=False),
)


@rule("BAI609", accepts=_CLEAN)
def filled_in_secrets(resource: ResourceView) -> Iterator[Violation]:
    for found in plain_secrets(resource):
        if found.in_its_place:
            key = str(found.path[-1])
            owner = f"the secret {found.variable}" if found.variable else key
            message = f"the value of {owner} stands here in plain text"
            hint = f"{_INSTEAD[key]}; replace what was in a file that others read"
            yield Violation(found.path, message, hint)
