"""Rules about the users of machines, and their keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Key, Violation
from bai.specs.findings import Path

_USERS: Final[dict[Kind, Path]] = {
    Kind.CLUSTER: ("properties", "userAccountSettings"),
    Kind.FILE_SERVER: ("properties", "sshConfiguration", "userAccountSettings"),
}


@rule("BAI316", keys=("adminUserName",))
def logins(resource: ResourceView) -> Iterator[Violation]:
    path = _USERS.get(resource.kind)
    # Any other key is one of the two, or misspelt and reported by the schema.
    if path and resource.mapping(*path).keys() == {"adminUserName"}:
        message = "the user has neither an ssh key nor a password"
        hint = "add adminUserSshPublicKey or adminUserPassword"
        yield Violation(Key(path), message, hint)


_BEGINNINGS: Final = ("~", "/", "./", "../", "$HOME")


@rule("BAI321", form=Form.SPEC, keys=("adminUserSshPublicKey",))
def key_paths(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at("adminUserSshPublicKey"):
        # The text of a key has a blank behind its kind.
        if " " not in text and (text.startswith(_BEGINNINGS) or text.endswith(".pub")):
            message = f"{text!r} is a path, and no public key"
            hint = f"write what `cat {text}` shows: ssh-rsa AAAA..."
            yield Violation(path, message, hint)
