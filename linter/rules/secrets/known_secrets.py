"""BAI607: no key, token or signature stands in plain text.

What has the form of an account key, a shared access signature (SAS), a token of GitHub or another
service, a private key or a password in a URL is one, and whoever reads the file or the list of
processes has it. `secrets` gives the job a variable whose value comes from bai's environment or
from a Key Vault, and which the service never shows. Replace a key that was in a file.

Wrong (job):

    custom: {command: "curl -fO https://me:hunter2@example.com/data.tar"}

Right (job):

    secrets: {PASSWORD: "env:DATA_PASSWORD"}
    custom:
      command: |
        echo "user=me:$PASSWORD" | curl -fO -K- https://example.com/data.tar
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.facts.plain_secrets import PlainSecret, plain_secrets
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Range, Violation


@rule("BAI607")
def known_secrets(resource: ResourceView) -> Iterator[Violation]:
    for found in plain_secrets(resource):
        if found.secret.sure and not found.in_its_place:
            yield violation(resource, found)


def violation(resource: ResourceView, found: PlainSecret) -> Violation:
    """Return the violation about a secret where the format has none."""
    what = found.secret.what if found.secret.sure else f"what looks like {found.secret.what}"
    where = f"in the variable {found.variable}" if found.variable else "here"
    message = f"{what} stands {where} in plain text"
    return Violation(Range(found.path, *found.secret[:2]), message, _hint(resource, found))


def _hint(resource: ResourceView, found: PlainSecret) -> str:
    if not resource.is_expanded(found.path) or resource.kind is Kind.FILE_SERVER:
        return "take it out, and replace it: who reads the file has it"
    use = "use $NAME"
    if str(found.path[-1]).lower().endswith("commandlineargs"):
        use = "let the script read the variable: all users of a node can read arguments"
    if resource.is_compiled:
        return f"write `secrets: {{NAME: env:VARIABLE}}`, or keyVault, and {use}"
    return f"put it into `secrets`, best with valueSecretReference, and {use}"
