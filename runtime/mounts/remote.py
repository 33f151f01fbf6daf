"""Containers of real storage accounts: what reaches one, with a secret that is looked up late."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import LaunchError
from bai.specs.secrets import SecretRef, parse_secret_marker

_DAYS: Final = 8
"""How long a signature holds: longer than a job may run."""
PERMISSIONS: Final = "rwdlac"
"""What a signature allows: read, write, delete, list, add, create."""
INSTALL: Final = "install it: pip install 'bai[azure]'"


class Opened(Protocol):
    """What a secret of an account opens."""

    @property
    def account(self) -> AccountSettings:
        """The account that it is in."""

    @property
    def marker(self) -> str:
        """What its secret is kept by."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A container of a real account."""

    account: AccountSettings
    container: str
    secret: SecretRef | None
    """Where the account's key or its signature lives; None where a login opens it."""

    @property
    def url(self) -> str:
        """The container's URL."""
        return f"{self.account.blob_endpoint}/{self.container}"

    @property
    def marker(self) -> str:
        """What its secret is kept by."""
        return str(self.secret or self.address)

    @property
    def address(self) -> str:
        """What `bai storage` calls the container."""
        return f"azureBlob://{self.account.name}/{self.container}"


def container_of(entry: Mapping[str, Any], account: AccountSettings) -> Remote:
    """Return the container that a mount shows.

    Args:
        entry: the mount, in wire form.
        account: the account that it is in.

    Raises:
        LaunchError: nothing says how to log in to the account.
    """
    secret = None if account.identity else login(entry, account)
    return Remote(account, entry["containerName"], secret)


def login(entry: Mapping[str, Any], account: AccountSettings) -> SecretRef:
    """Return where the secret lives that opens the account of a mount.

    Args:
        entry: the mount, in wire form.
        account: the account that it is in.

    Raises:
        LaunchError: nothing says how to log in to the account.
    """
    secret = account.secret or _key_of(entry)
    if secret is None:
        raise LaunchError(
            f"nothing says where a key of the account {account.name} is: "
            "give its table in bai.toml a key, a sas or identity = true"
        )
    return secret


def submitted(remote: Opened, secrets: Mapping[str, str]) -> str:
    """Return the secret that opens something.

    Raises:
        LaunchError: the job did not get it.
    """
    secret = secrets.get(remote.marker)
    if secret is None:
        name = remote.account.name
        raise LaunchError(f"the secret of the account {name} was not submitted: run again")
    return secret


def _key_of(entry: Mapping[str, Any]) -> SecretRef | None:
    try:
        return parse_secret_marker(entry["credentials"]["accountKey"])
    except (KeyError, ValueError):
        return None


def signature(remote: Remote, secrets: Mapping[str, str]) -> str:
    """Return a shared access signature, a query, that opens a container and nothing else.

    Args:
        remote: the container.
        secrets: the secrets of accounts that a job got, by the marker of each one.

    Raises:
        LaunchError: the secret is none of them, or no key.
    """
    account = remote.account
    secret = submitted(remote, secrets)
    if remote.secret is None or account.sas:
        return secret.lstrip("?")
    try:
        from azure.storage.blob import ContainerSasPermissions, generate_container_sas
    except ImportError:
        message = f"a key of the account {account.name} needs azure-storage-blob: {INSTALL}"
        raise LaunchError(message) from None
    try:
        return generate_container_sas(
            account.name,
            remote.container,
            account_key=secret,
            permission=ContainerSasPermissions.from_string(PERMISSIONS),
            expiry=datetime.now(UTC) + timedelta(days=_DAYS),
        )
    except ValueError:
        # No word of what it is: it may be another secret.
        place = f"{remote.secret.source}:{remote.secret.name}"
        raise LaunchError(f"{place} holds no key of a storage account: it is not Base64") from None
