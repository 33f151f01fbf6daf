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

from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_BEGINNINGS: Final = ("~", "/", "./", "../", "$HOME")


@rule("BAI321")
def key_paths(resource: ResourceView) -> Iterator[Violation]:
    if not resource.is_compiled:
        return
    for path, text in resource.texts_at("adminUserSshPublicKey"):
        # The text of a key has a blank behind its kind.
        if " " not in text and (text.startswith(_BEGINNINGS) or text.endswith(".pub")):
            message = f"{text!r} is a path, and no public key"
            hint = f"write what `cat {text}` shows: ssh-rsa AAAA..."
            yield Violation(path, message, hint)
