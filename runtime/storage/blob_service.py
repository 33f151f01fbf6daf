"""The client of a real account's blob service, and its errors in one sentence each."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import AccountError, SecretError, StorageError
from bai.runtime.secrets import reveal
from bai.specs.secrets import STORAGE_KEY

if TYPE_CHECKING:
    from azure.storage.blob import BlobServiceClient

_TRIES: Final = 2
"""How often a request is sent again, by the library's own policy: after about 1 and 3 seconds."""
_CONNECTING: Final = 10
"""Seconds in which a connection must be made."""
_READING: Final = 60
"""Seconds in which an answer must go on."""
_REFUSED: Final = (401, 403)
_WAYS: Final = {
    "key": "is the key that of this account?",
    "sas": "has the signature ended, or does it allow less?",
    "identity": "has the identity a role for the account's blobs?",
}
_NAME: Final = re.compile("(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*")
"""The service's rule for names of containers."""
_REASON: Final = re.compile(r"\[Errno -?\d+\] ([^'\")>]+)|(timed out)")


def connect(account: AccountSettings) -> BlobServiceClient:
    """Return the client of an account's blob service; nothing is sent yet.

    Raises:
        AccountError: the account has no credential that can be used, or the library is missing.
    """
    try:
        from azure.storage.blob import BlobServiceClient
    except ImportError:
        raise AccountError(_missing("azure-storage-blob", account)) from None
    credential = _credential(account)
    try:
        client = BlobServiceClient(
            account.blob_endpoint,
            credential=credential,
            connection_timeout=_CONNECTING,
            read_timeout=_READING,
            retry_total=_TRIES,
            initial_backoff=1,
            increment_base=2,
            random_jitter_range=1,
        )
    except ValueError as error:
        raise AccountError(f"can't use the account {account.name}: {error}") from None
    return client


def _credential(account: AccountSettings) -> Any:
    """Return what the library takes for a credential.

    Raises:
        AccountError: there is none, or it is of no use.
    """
    if account.identity:
        try:
            from azure.identity import DefaultAzureCredential
        except ImportError:
            raise AccountError(_missing("azure-identity", account)) from None
        return DefaultAzureCredential()
    try:
        secret = reveal(account.secret or STORAGE_KEY).strip()
    except SecretError as error:
        more = "" if account.secret else ", or write key, sas or identity in its table of bai.toml"
        raise AccountError(f"can't use the account {account.name}: {error}{more}") from None
    if account.sas:
        from azure.core.credentials import AzureSasCredential

        return AzureSasCredential(secret.removeprefix("?"))
    try:
        base64.b64decode(secret, validate=True)
    except binascii.Error:
        message = f"the key of the account {account.name} is no key: that is text in base64"
        raise AccountError(message) from None
    return {"account_name": account.name, "account_key": secret}


def _missing(package: str, account: AccountSettings) -> str:
    return f"the account {account.name} is real, which needs {package}: pip install 'bai[azure]'"


@contextmanager
def translated(
    account: AccountSettings, service: BlobServiceClient, shown: str
) -> Iterator[BlobServiceClient]:
    """Say in one sentence, without secrets, what the blob service would not do.

    Args:
        account: whose service it is.
        service: its client.
        shown: the address that was asked for.

    Raises:
        AccountError: the account can't be used at all.
        StorageError: anything else.
    """
    from azure.core import exceptions

    try:
        yield service
    except exceptions.ClientAuthenticationError as error:
        raise AccountError(_refused(account, error)) from None
    except exceptions.HttpResponseError as error:
        if error.status_code in _REFUSED:
            raise AccountError(_refused(account, error)) from None
        raise StorageError(_answer(account, shown, error)) from None
    except (exceptions.ServiceRequestError, exceptions.ServiceResponseError) as error:
        found = _REASON.search(str(error))
        reason = f": {(found[1] or found[2]).strip()}" if found else ""
        message = f"can't reach {account.blob_endpoint} (account {account.name}){reason}"
        raise AccountError(message) from None
    except exceptions.AzureError as error:
        message = f"the account {account.name} does not work: {type(error).__name__}"
        raise AccountError(message) from None


def _refused(account: AccountSettings, error: Any) -> str:
    status = getattr(error, "status_code", None)
    if status is None:
        # azure-identity lists all that it has tried, over many lines.
        return f"nobody is logged in for the account {account.name}: run `az login`, for example"
    kind = "identity" if account.identity else "sas" if account.sas else "key"
    words = ", ".join(filter(None, (f"HTTP {status}", _code(error))))
    return f"the account {account.name} refuses access ({words}): {_WAYS[kind]}"


def _answer(account: AccountSettings, shown: str, error: Any) -> str:
    code = _code(error)
    container = shown.partition(":")[2].removeprefix(f"//{account.name}/").partition("/")[0]
    match code:
        case "ResourceNotFound":
            return f"there is no account {account.name} at {account.blob_endpoint}"
        case "ContainerNotFound":
            return f"there is no container {container} in the account {account.name}"
        case "ContainerBeingDeleted":
            return f"the container {container} is still being deleted: try again in a minute"
        case "InvalidResourceName" | "OutOfRangeInput" if not _NAME.fullmatch(container):
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


def _code(error: Any) -> str:
    """Return the name that the service has for an error; '' if it says none."""
    code = getattr(error, "error_code", None)
    return str(getattr(code, "value", code) or "")
