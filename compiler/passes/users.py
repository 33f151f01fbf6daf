"""Administrator accounts, as clusters and file servers have them alike."""

from __future__ import annotations

from bai.compiler.draft import Draft
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.secrets import put_secret
from bai.specs.findings import Path
from bai.specs.models.machines import User


def lower_user(scope: Scope, draft: Draft, target: Path, user: User, at: Path) -> None:
    """Put userAccountSettings at the wire path `target`."""
    draft.put((*target, "adminUserName"), user.name, (*at, "name"))
    draft.put((*target, "adminUserSshPublicKey"), user.ssh_key, (*at, "sshKey"))
    put_secret(scope, draft, (*target, "adminUserPassword"), user.password, (*at, "password"))
