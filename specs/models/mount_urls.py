"""The one-line form of a mount: from a line to its full form."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl, unquote

from pydantic_core import PydanticCustomError

from bai.specs.models.errors import model_error
from bai.specs.names import suggestion

SCHEMES = ("azureFile", "azureBlob", "fileServer", "command", "file", "https")
LINE_PATTERN = rf"^({'|'.join(SCHEMES)}):"
_HTTPS = re.compile(r"https://([^./?#]+)\.(file|blob)\.([^/?#]+)/([^?#]+)")
_PUBLIC = "core.windows.net"


def parse_mount_url(text: str) -> dict[str, Any]:
    """Read a mount's line into its full form.

    Raises:
        PydanticCustomError: the line is in none of the forms; the message says which there are.
    """
    scheme, colon, rest = text.partition(":")
    if not colon:
        if text[:1] in (".", "/", "~"):
            raise _bad(f"{text!r} is no mount", f"write file:{text} for a directory here")
        forms = "azureFile:SHARE, azureBlob:CONTAINER, fileServer:NAME or file:DIRECTORY"
        raise _bad(f"{text!r} is no mount", f"write {forms}")
    if scheme in ("command", "file"):
        key, field = ("unmanaged", "command") if scheme == "command" else ("file", "path")
        if not rest.strip():
            raise _bad(
                f"the {field} is missing behind {scheme}:", f"write {scheme}:{field.upper()}"
            )
        return {key: {field: rest.strip()}}
    if scheme == "https":
        return _pasted(text)
    if scheme not in SCHEMES:
        raise _bad(f"there is no mount of kind {scheme!r}", suggestion(scheme, SCHEMES))
    location, question, query = rest.partition("?")
    options = _options(scheme, query) if question else {}
    if scheme == "fileServer":
        return {scheme: _file_server(location) | options}
    name = "share" if scheme == "azureFile" else "container"
    if location.startswith("/") and not location.startswith("//"):
        account = f"{scheme}://ACCOUNT{location}"
        raise _bad(
            f"{scheme}:/ with one slash names neither an account nor a {name}",
            f"write {scheme}:{location.lstrip('/') or name.upper()}, or {account} with its account",
        )
    host, path = _account_and_path(location)
    if not path:
        raise _bad(f"the {name} is missing", f"write {scheme}://ACCOUNT/{name.upper()}")
    if scheme == "azureBlob":
        _check_container(path)
    return {scheme: {"account": host, name: path} | options}


def _account_and_path(location: str) -> tuple[str | None, str | None]:
    """Return account and path, each None where it is not given."""
    if not location.startswith("//"):
        return None, unquote(location.strip("/")) or None
    host, _, path = location[2:].partition("/")
    if "@" in host or ":" in host:
        raise model_error("BAI601", "a mount's line holds no key", "write `key: env:NAME` in full")
    return unquote(host) or None, unquote(path).rstrip("/") or None


def _file_server(location: str) -> dict[str, str | None]:
    if location.startswith("///"):
        # An ARM id begins with a slash: fileServer:///subscriptions/...
        return {"name": unquote(location[2:]), "source": None}
    name, _, source = location.removeprefix("//").partition("/")
    if not name:
        raise _bad("the file server is missing", "write fileServer://NAME/DIRECTORY")
    return {"name": unquote(name), "source": unquote(source).rstrip("/") or None}


def _check_container(path: str) -> None:
    if "/" in path:
        name = path.partition("/")[0]
        message = f"a blob container is mounted as a whole, found the directory {path!r}"
        raise _bad(message, f"mount {name!r} and use the directory below the mount")


def _options(scheme: str, query: str) -> dict[str, str]:
    allowed = {
        "azureFile": ("fileMode", "directoryMode"),
        "azureBlob": ("options",),
        "fileServer": ("options",),
    }[scheme]
    found: dict[str, str] = {}
    # `+` is a plus here, not a space: mount options are no HTML form.
    for name, value in parse_qsl(query.replace("+", "%2B"), keep_blank_values=True):
        if name not in allowed:
            hint = suggestion(name, allowed)
            raise model_error("BAI501", f"{scheme} has no option {name!r}", hint, (name,))
        found[name] = value
    return found


def _pasted(text: str) -> dict[str, Any]:
    text, question, _ = text.partition("?")
    if question:
        message = "a pasted address can't have a query, which may hold a key"
        raise model_error(
            "BAI601", message, "remove all from the `?` on; `key: env:NAME` has a key"
        )
    match = _HTTPS.fullmatch(text.rstrip("/"))
    if not match:
        raise _bad(
            f"{text!r} is no Azure storage address",
            "expected https://ACCOUNT.file.core.windows.net/SHARE or the same with blob",
        )
    account, service, suffix, path = match.groups()
    if service == "blob":
        _check_container(path)
        if suffix != _PUBLIC:
            raise _bad("a blob container outside Azure's public cloud can't be mounted", None)
        return {"azureBlob": {"account": account, "container": path}}
    if suffix != _PUBLIC:
        return {"azureFile": {"account": account, "url": text}}
    return {"azureFile": {"account": account, "share": path}}


def _bad(message: str, hint: str | None) -> PydanticCustomError:
    return model_error("BAI501", message, hint)
