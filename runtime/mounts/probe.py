"""Whether a container answers: one small request, with a reason for people if it does not."""

from __future__ import annotations

from typing import Final

SECONDS: Final = 15.0
"""How long a service may take to answer."""
_VERSION: Final = "2020-10-02"
_WORDS: Final = {
    "AuthenticationFailed": "it refuses the key or the signature",
    "AuthorizationFailure": "it refuses the key or the signature",
    "AuthorizationPermissionMismatch": "the signature does not allow listing",
    "ContainerNotFound": "there is no such container: make it first",
    "ContainerBeingDeleted": "the container is being deleted",
}
"""Azure's code of an error -> what it means here."""


def refusal(url: str, signature: str) -> str | None:
    """Return why a container can't be listed; None if it can.

    Args:
        url: the container's.
        signature: a query that opens it.
    """
    # Not at import time: few nodes mount a container, and all of them import this module.
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request, urlopen

    query = f"restype=container&comp=list&maxresults=1&{signature}"
    request = Request(f"{url}?{query}", headers={"x-ms-version": _VERSION})  # noqa: S310 - bai.toml's
    try:
        with urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            answer.read()
    except HTTPError as error:
        code = error.headers.get("x-ms-error-code") or f"HTTP {error.code}"
        return f"{_WORDS.get(code, 'it refuses')} ({code})"
    except TimeoutError:
        return f"no answer in {SECONDS:.0f} s"
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return str(getattr(reason, "strerror", None) or reason)
    return None
