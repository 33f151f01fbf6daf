"""BAI316: the administrator of a machine can log in.

Without an ssh key and without a password the service refuses the machine. The old command line took
`~/.ssh/id_rsa.pub` then, which not everybody has.

Wrong (cluster.json):

    {
      "userAccountSettings": {"adminUserName": "me"}
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

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Key, Violation
from bai.specs.findings import Path

_USERS: Final[dict[Kind, Path]] = {
    Kind.CLUSTER: ("properties", "userAccountSettings"),
    Kind.FILE_SERVER: ("properties", "sshConfiguration", "userAccountSettings"),
}


@rule("BAI316")
def logins(resource: ResourceView) -> Iterator[Violation]:
    path = _USERS.get(resource.kind)
    # Any other key is one of the two, or misspelt, which is told already.
    if path and resource.mapping(*path).keys() == {"adminUserName"}:
        message = "the user has neither an ssh key nor a password"
        hint = "add adminUserSshPublicKey or adminUserPassword"
        yield Violation(Key(path), message, hint)
