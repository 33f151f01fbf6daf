"""The rules about secrets that stand in plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.plain_secrets import PlainSecret, plain_secrets
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Rule, rule
from bai.linter.violation import Range, Violation

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

    return rule(code)(check)


def _way(resource: ResourceView, found: PlainSecret) -> str:
    """Return what to do about a secret at a place that is not for secrets."""
    if not resource.is_expanded(found.path) or resource.kind is Kind.FILE_SERVER:
        return "take it out, and replace it: who reads the file has it"
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


@rule("BAI609")
def filled_in_secrets(resource: ResourceView) -> Iterator[Violation]:
    for found in plain_secrets(resource):
        if found.in_its_place:
            key = str(found.path[-1])
            owner = f"the secret {found.variable}" if found.variable else key
            message = f"the value of {owner} stands here in plain text"
            hint = f"{_INSTEAD[key]}; replace what was in a file that others read"
            yield Violation(found.path, message, hint)
