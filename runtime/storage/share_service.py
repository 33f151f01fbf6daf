"""The client of a real account's file service, and what its errors mean."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import AccountError
from bai.runtime.storage import azure_service
from bai.runtime.storage.azure_service import LIMITS, NAME, credential, missing

if TYPE_CHECKING:
    from azure.storage.fileshare import ShareServiceClient


def connect(account: AccountSettings) -> ShareServiceClient:
    """Return the client of an account's file service; nothing is sent yet.

    Raises:
        AccountError: it has no such service or no credential for it, or the library is missing.
    """
    if account.file_endpoint.startswith("smb:"):
        raise AccountError(
            f"the shares of the account {account.name} are reached by SMB alone, with which "
            "bai copies nothing: let a job that mounts one do it"
        )
    try:
        from azure.storage.fileshare import ShareServiceClient
    except ImportError:
        raise AccountError(missing("azure-storage-file-share", account)) from None
    # Without an intent the service takes no login; this one needs a role for backups.
    intent: dict[str, Any] = {"token_intent": "backup"} if account.identity else {}
    found = credential(account)
    try:
        client = ShareServiceClient(account.file_endpoint, credential=found, **intent, **LIMITS)
    except ValueError as error:
        raise AccountError(f"can't use the account {account.name}: {error}") from None
    return client


def translated(
    account: AccountSettings, service: ShareServiceClient, shown: str
) -> AbstractContextManager[ShareServiceClient]:
    """Say in one sentence, without secrets, what the file service would not do.

    Args:
        account: whose service it is.
        service: its client.
        shown: the address that was asked for.

    Raises:
        AccountError: the account can't be used at all.
        StorageError: anything else.
    """
    answer = partial(_answer, account, shown)
    return azure_service.translated(account, account.file_endpoint, service, answer)


def _answer(account: AccountSettings, shown: str, error: Any, code: str) -> str:
    share = shown.partition(":")[2].removeprefix(f"//{account.name}/").partition("/")[0]
    match code:
        case "ShareNotFound":
            return f"there is no share {share} in the account {account.name}"
        case "ShareBeingDeleted":
            return f"the share {share} is still being deleted: try again in a minute"
        case "InvalidResourceName" | "OutOfRangeInput" if not NAME.fullmatch(share):
            return (
                f"{share!r} is no name of a share: these have 3 to 63 lower-case letters, "
                "digits and single hyphens"
            )
        case "ResourceNotFound" | "ParentNotFound":
            return f"there is nothing at {shown}"
        case "ShareSizeLimitReached" | "ShareSizeLimitExceeded":
            return f"the share {share} is full"
    words = ", ".join(filter(None, (f"HTTP {error.status_code}", code)))
    return f"the account {account.name} does not take {shown} ({words})"
