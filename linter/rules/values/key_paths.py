"""BAI321: `sshKey` is the text of a public key, not the path of its file.

Nothing reads the file: the path itself would be put on the machine, where no key fits it. (The old
command line read files that a cluster.json names, so paths are left alone there.)

Wrong (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 1
        user: {name: me, sshKey: ~/.ssh/id_rsa.pub}

Right (spec):

    clusters:
      gpu:
        vmSize: STANDARD_NC6
        scale: 1
        user: {name: me, sshKey: ssh-rsa AAAA me@host}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity

_BEGINNINGS: Final = ("~", "/", "./", "../", "$HOME")


def _check(context: RuleContext) -> Iterator[Violation]:
    for resource in context.items:
        if not resource.is_compiled:
            continue
        for path, text in resource.texts_at("adminUserSshPublicKey"):
            # The text of a key has a blank behind its kind.
            if " " not in text and (text.startswith(_BEGINNINGS) or text.endswith(".pub")):
                message = f"{text!r} is a path, and no public key"
                hint = f"write what `cat {text}` shows: ssh-rsa AAAA..."
                yield Violation(resource, path, message, hint)


RULE = Rule("BAI321", "the path of a key in place of its text", _check, Severity.WARNING)
