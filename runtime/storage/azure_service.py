"""What the clients of an account's services share: credentials, limits, and errors as sentences."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import AccountError, SecretError, StorageError
from bai.runtime.revealing import reveal
from bai.specs.secrets import STORAGE_KEY

if TYPE_CHECKING:
    from azure.core.credentials import AzureSasCredential

_Service = TypeVar("_Service")
LIMITS: Final[dict[str, Any]] = {
    # In seconds: until a connection is made, and while an answer does not go on.
    "connection_timeout": 10,
    "read_timeout": 60,
    # A request is sent again by the library's own policy, after about 1 and 3 seconds.
    "retry_total": 2,
    "initial_backoff": 1,
    "increment_base": 2,
    "random_jitter_range": 1,
}
"""Options of all clients."""
_REFUSED: Final = (401, 403)
_WAYS: Final = {
    "key": "is the key that of this account?",
    "sas": "has the signature ended, or does it allow less?",
    "identity": "has the identity a role for what is in the account?",
}
NAME: Final = re.compile("(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*")
"""The services' rule for names of containers and shares."""
_REASON: Final = re.compile(r"\[Errno -?\d+\] ([^'\")>]+)|(timed out)")


def credential(account: AccountSettings, signature: str | None = None) -> Any:
    """Return what the libraries take for a credential.

    Args:
        account: the account.
        signature: opens a part of it, in place of what its settings name.

    Raises:
        AccountError: there is none, or it is of no use.
    """
    if signature:
        return _signed(signature)
    if account.identity:
        try:
            from azure.identity import DefaultAzureCredential
        except ImportError:
            raise AccountError(missing("azure-identity", account)) from None
        return DefaultAzureCredential()
    try:
        secret = reveal(account.secret or STORAGE_KEY).strip()
    except SecretError as error:
        more = "" if account.secret else ", or write key, sas or identity in its table of bai.toml"
        raise AccountError(f"can't use the account {account.name}: {error}{more}") from None
    if account.sas:
        return _signed(secret)
    try:
        base64.b64decode(secret, validate=True)
    except binascii.Error:
        message = f"the key of the account {account.name} is no key: that is text in base64"
        raise AccountError(message) from None
    return {"account_name": account.name, "account_key": secret}


def _signed(signature: str) -> AzureSasCredential:
    from azure.core.credentials import AzureSasCredential

    return AzureSasCredential(signature.removeprefix("?"))


def missing(package: str, account: AccountSettings) -> str:
    """Return the sentence about a package that is not installed."""
    return f"the account {account.name} is real, which needs {package}: pip install 'bai[azure]'"


@contextmanager
def translated(
    account: AccountSettings,
    endpoint: str,
    service: _Service,
    answer: Callable[[Any, str], str],
) -> Iterator[_Service]:
    """Say in one sentence, without secrets, what a service would not do.

    Args:
        account: whose service it is.
        endpoint: its URL.
        service: its client.
        answer: makes the sentence of an error, with the service's name for it.

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
        raise StorageError(answer(error, _code(error))) from None
    except (exceptions.ServiceRequestError, exceptions.ServiceResponseError) as error:
        found = _REASON.search(str(error))
        reason = f": {(found[1] or found[2]).strip()}" if found else ""
        message = f"can't reach {endpoint} (account {account.name}){reason}"
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


def _code(error: Any) -> str:
    """Return the name that the service has for an error; '' if it says none."""
    code = getattr(error, "error_code", None)
    return str(getattr(code, "value", code) or "")
