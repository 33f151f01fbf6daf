"""The client of a real account's blob service, and what its errors mean."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import AccountError
from bai.runtime.storage import azure_service
from bai.runtime.storage.azure_service import LIMITS, NAME, credential, missing

if TYPE_CHECKING:
    from azure.storage.blob import BlobServiceClient


def connect(account: AccountSettings, signature: str | None = None) -> BlobServiceClient:
    """Return the client of an account's blob service; nothing is sent yet.

    Args:
        account: the account.
        signature: opens a part of it, in place of what its settings name.

    Raises:
        AccountError: the account has no credential that can be used, or the library is missing.
    """
    try:
        from azure.storage.blob import BlobServiceClient
    except ImportError:
        raise AccountError(missing("azure-storage-blob", account)) from None
    found = credential(account, signature)
    try:
        client = BlobServiceClient(account.blob_endpoint, credential=found, **LIMITS)
    except ValueError as error:
        raise AccountError(f"can't use the account {account.name}: {error}") from None
    return client


def translated(
    account: AccountSettings, service: BlobServiceClient, shown: str
) -> AbstractContextManager[BlobServiceClient]:
    """Say in one sentence, without secrets, what the blob service would not do.

    Args:
        account: whose service it is.
        service: its client.
        shown: the address that was asked for.

    Raises:
        AccountError: the account can't be used at all.
        StorageError: anything else.
    """
    answer = partial(_answer, account, shown)
    return azure_service.translated(account, account.blob_endpoint, service, answer)


def _answer(account: AccountSettings, shown: str, error: Any, code: str) -> str:
    container = shown.partition(":")[2].removeprefix(f"//{account.name}/").partition("/")[0]
    match code:
        case "ResourceNotFound":
            return f"there is no account {account.name} at {account.blob_endpoint}"
        case "ContainerNotFound":
            return f"there is no container {container} in the account {account.name}"
        case "ContainerBeingDeleted":
            return f"the container {container} is still being deleted: try again in a minute"
        case "InvalidResourceName" | "OutOfRangeInput" if not NAME.fullmatch(container):
            return (
                f"{container!r} is no name of a container: these have 3 to 63 lower-case letters, "
                "digits and single hyphens"
            )
        case "BlobNotFound":
            return f"there is nothing at {shown}"
        case "ConditionNotMet":
            return f"{shown} has changed meanwhile: copy it again"
    words = ", ".join(filter(None, (f"HTTP {error.status_code}", code)))
    return f"the account {account.name} does not take {shown} ({words})"
