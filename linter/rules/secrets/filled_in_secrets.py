"""BAI609: files for the service hold no keys and passwords, but what stands for them.

Batch AI's format has places for secrets, and the service shows none of them again; a file does. The
old command line puts the key in place of `<AZURE_BATCHAI_STORAGE_KEY>`, and so does bai; for all
others there is a reference to a Key Vault.

Wrong (cluster.json):

    {
      "userAccountSettings": {
        "adminUserName": "me",
        "adminUserPassword": "8fK2x9QpL0aZ"
      }
    }

Right (cluster.json):

    {
      "userAccountSettings": {
        "adminUserName": "me",
        "adminUserSshPublicKey": "ssh-rsa AAAA"
      }
    }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.facts.plain_secrets import plain_secrets
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_INSTEAD: Final = {
    "accountKey": "write <AZURE_BATCHAI_STORAGE_KEY>, or accountKeySecretReference",
    "password": "write passwordSecretReference",
    "adminUserPassword": "write adminUserSshPublicKey, which is no secret",
    "instrumentationKey": "write instrumentationKeySecretReference",
    "value": "write valueSecretReference, or `<secret env:NAME>` for bai",
}
"""Key -> what to write in its place."""


@rule("BAI609")
def filled_in_secrets(resource: ResourceView) -> Iterator[Violation]:
    for found in plain_secrets(resource):
        if found.in_its_place:
            key = str(found.path[-1])
            owner = f"of the secret {found.variable}" if found.variable else f"of {key}"
            message = f"the value {owner} stands here in plain text"
            hint = f"{_INSTEAD[key]}; replace what was in a file that others read"
            yield Violation(found.path, message, hint)
