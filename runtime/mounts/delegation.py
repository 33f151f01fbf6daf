"""Signatures for containers that a login gives, in place of an account's key."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from bai.runtime.errors import SecretError, StorageError
from bai.runtime.mounts.remote import PERMISSIONS, Remote
from bai.runtime.storage.blob_service import connect, translated

_LONGEST: Final = timedelta(days=7)
"""How long the service lets such a signature hold."""
_SKEW: Final = timedelta(minutes=5)
"""How much clocks may differ."""


def delegated(remote: Remote) -> str:
    """Return a signature that opens a container and nothing else, by what azure-identity finds.

    Raises:
        SecretError: nobody is logged in, or may not do that.
    """
    account, now = remote.account, datetime.now(UTC)
    try:
        service = connect(account)
        with translated(account, service, remote.address):
            key = service.get_user_delegation_key(now - _SKEW, now + _LONGEST - _SKEW)
    except StorageError as error:
        raise SecretError(f"can't sign access to {remote.address}: {error}") from None
    # It is there: the client comes from it.
    from azure.storage.blob import ContainerSasPermissions, generate_container_sas

    signature: str = generate_container_sas(
        account.name,
        remote.container,
        user_delegation_key=key,
        permission=ContainerSasPermissions.from_string(PERMISSIONS),
        start=now - _SKEW,
        expiry=now + _LONGEST - _SKEW,
    )
    return signature
