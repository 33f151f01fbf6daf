"""Storage accounts and keys, filled in as `az batchai` filled them in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.findings import Path
from bai.specs.secrets import STORAGE_KEY, KeyVaultRef, SecretRef

_ACCOUNT = re.compile("[a-z0-9]{3,24}")
_HOST = re.compile(r"https://([^./?#]+)\.[^/]+/.+")


@dataclass(frozen=True, slots=True)
class Account:
    """The storage account of a mount."""

    name: str
    source: Path | None
    """Where the spec says so; None for the context's account and for the placeholder."""


def choose_account(scope: Scope, written: str | None, path: Path) -> Account:
    """Return the account of a mount.

    It is its own (at `path`), else the spec's, the context's or the placeholder.
    """
    if written is not None:
        chosen = Account(written, path)
    elif scope.spec.storage_account is not None:
        chosen = Account(scope.spec.storage_account, ("spec", "storageAccount"))
    else:
        chosen = Account(scope.defaults.storage_account or STORAGE_ACCOUNT_PLACEHOLDER, None)
    if chosen.name != STORAGE_ACCOUNT_PLACEHOLDER and not _ACCOUNT.fullmatch(chosen.name):
        origin = "" if chosen.source else ", which the context sets,"
        message = f"{chosen.name!r}{origin} is no storage account's name"
        span = scope.span(chosen.source or path)
        scope.report("BAI504", message, span, "3 to 24 lowercase letters and digits")
    return chosen


def host_account(url: str | None) -> str | None:
    """Return the account that a share's address begins with, if it is such an address."""
    match = _HOST.fullmatch(url or "")
    return match[1] if match else None


def set_key(
    builder: WireBuilder, volume: Path, key: SecretRef | KeyVaultRef | None, path: Path
) -> None:
    """Set the credentials of a wire volume: its own key (at `path`), the spec's, the context's."""
    source: Path | None = path
    if key is None:
        key = builder.scope.spec.storage_key
        source = ("spec", "storageKey") if key else None
    builder.set_secret((*volume, "credentials", "accountKey"), key or STORAGE_KEY, source)


def share_url(account: str, share: str) -> str:
    """Return the address of an Azure file share in the public cloud."""
    return f"https://{account}.file.core.windows.net/{share}"


def check_host(scope: Scope, account: Account, url: str, path: Path) -> None:
    """Report a share's address at `path` that belongs to another account, or is no address."""
    match = _HOST.fullmatch(url)
    if match is None:
        hint = "write it like https://ACCOUNT.file.core.windows.net/SHARE"
        scope.report("BAI505", f"{url!r} is no address of a share", scope.span(path), hint)
    elif match[1] != account.name:
        message = f"the address is of account {match[1]!r}, the mount's account is {account.name!r}"
        scope.report("BAI505", message, scope.span(path), f"write account: {match[1]}")
