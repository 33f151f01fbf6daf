"""Storage accounts and keys, filled in as `az batchai` did before it sent a file."""

from __future__ import annotations

import re
from typing import Any

from bai.compiler.passes.scope import Scope
from bai.compiler.resources.base import (
    STORAGE_KEY,
    secret_marker,
)
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.findings import Path
from bai.specs.secrets import KeyVaultRef, SecretRef

_ACCOUNT = re.compile("[a-z0-9]{3,24}")


def account_name(scope: Scope, written: str | None, path: Path) -> str:
    """Return a mount's account: its own, the spec's, the context's, or the placeholder."""
    for name, source in ((written, path), (scope.spec.storage_account, ("spec", "storageAccount"))):
        if name is not None:
            if name != STORAGE_ACCOUNT_PLACEHOLDER and not _ACCOUNT.fullmatch(name):
                message = f"{name!r} is no storage account's name"
                hint = "3 to 24 lowercase letters and digits"
                scope.error("BAI504", message, scope.document.span(source), hint)
            return name
    return scope.defaults.storage_account or STORAGE_ACCOUNT_PLACEHOLDER


def credentials(scope: Scope, key: SecretRef | KeyVaultRef | None) -> dict[str, Any]:
    """Return the wire form of a mount's credentials."""
    return secret(key or scope.spec.storage_key or STORAGE_KEY, "accountKey")


def secret(ref: SecretRef | KeyVaultRef, key: str) -> dict[str, Any]:
    """Return `{key: marker}`, or `{keySecretReference: ...}` for a secret in a Key Vault."""
    if isinstance(ref, KeyVaultRef):
        reference = {"sourceVault": {"id": ref.vault}, "secretUrl": ref.url}
        return {f"{key}SecretReference": reference}
    return {key: secret_marker(ref)}


def share_url(account: str, share: str) -> str:
    """Return the address of an Azure file share in the public cloud."""
    return f"https://{account}.file.core.windows.net/{share}"


def check_host(scope: Scope, account: str, url: str, path: Path) -> None:
    """Complain where a share's address belongs to another account."""
    match = re.match(r"https://([^./]+)\.", url)
    if not match or match[1] != account:
        found = match[1] if match else url
        message = f"the address is of account {found!r}, the account is {account!r}"
        scope.error("BAI505", message, scope.document.span(path), "write the account once")
