"""Administrator accounts, as clusters and file servers have them alike."""

from __future__ import annotations

from bai.compiler.passes.secrets import set_secret
from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.models.machines import User


def lower_user(builder: WireBuilder, target: Path, user: User, at: Path) -> None:
    """Put userAccountSettings at the wire path `target`."""
    builder.set((*target, "adminUserName"), user.name, (*at, "name"))
    builder.set((*target, "adminUserSshPublicKey"), user.ssh_key, (*at, "sshKey"))
    set_secret(builder, (*target, "adminUserPassword"), user.password, (*at, "password"))
