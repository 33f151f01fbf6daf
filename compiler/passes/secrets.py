"""References to secrets, to their wire form."""

from __future__ import annotations

import os

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.secrets import KeyVaultRef, SecretRef, secret_marker


def set_secret(
    scope: Scope,
    builder: WireBuilder,
    target: Path,
    ref: SecretRef | KeyVaultRef | None,
    source: Path | None,
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
        builder.set(target, secret_marker(_absolute(scope, ref)), source)


def _absolute(scope: Scope, ref: SecretRef) -> SecretRef:
    """Return the reference with a file's path taken from the spec's folder, as mounts are."""
    if ref.source != "file":
        return ref
    return SecretRef("file", os.path.normpath(os.path.join(scope.loaded.directory, ref.name)))  # noqa: PTH118
