"""References to secrets, to their wire form."""

from __future__ import annotations

from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.secrets import KeyVaultRef, SecretRef, secret_marker


def set_secret(
    builder: WireBuilder, target: Path, ref: SecretRef | KeyVaultRef | None, source: Path | None
) -> None:
    """Put a marker at the wire path `target`.

    For a secret in a Key Vault the service wants another key beside it, `...SecretReference`.
    """
    if isinstance(ref, KeyVaultRef):
        reference = (*target[:-1], f"{target[-1]}SecretReference")
        vault = source and (*source, "keyVault")
        builder.set((*reference, "sourceVault", "id"), ref.vault, vault and (*vault, "vault"))
        builder.set((*reference, "secretUrl"), ref.url, vault and (*vault, "url"))
    elif ref is not None:
        if ref.source == "file":
            ref = SecretRef("file", builder.scope.absolute(ref.name))
        builder.set(target, secret_marker(ref), source)
