"""Storage accounts that are real: the tables `[contexts.NAME.accounts.ACCOUNT]`.

[contexts.lab.accounts.mystore]
blob-endpoint = "http://127.0.0.1:10000/mystore"  # by default https://mystore.blob.core.windows.net
file-endpoint = "https://..."                     # by default https://mystore.file.core.windows.net
                                                  # or smb://HOST:PORT, any server of SMB
key = "env:MYSTORE_KEY"                           # or "file:PATH"
sas = "env:MYSTORE_SAS"                           # in place of a key
identity = true                                   # in place of a key: what azure-identity finds
mount = "auto"                                    # or "fuse", "copy": how jobs see containers

An account without a table is a folder of this machine. One whose table has no credential takes the
key that a mount names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args
from urllib.parse import SplitResult, urlsplit

from bai.runtime.settings_table import SettingsTable
from bai.specs.secrets import SOURCES, SecretRef
from bai.specs.toml_files import ACCOUNT_KEYS

Way = Literal["auto", "fuse", "copy"]
_NAME: Final = "[a-z0-9]{3,24}"
"""Azure's rule for names of storage accounts."""
_CREDENTIALS: Final = ("key", "sas", "identity")
_VARIABLE: Final = "[A-Za-z_][A-Za-z0-9_]*"


@dataclass(frozen=True, slots=True)
class AccountSettings:
    """A real storage account, and how bai may use it."""

    name: str
    blob_endpoint: str
    """The URL of its blob service, without a slash at the end."""
    file_endpoint: str
    """The URL of its file service, or `smb://HOST:PORT`, without a slash at the end."""
    key: SecretRef | None = None
    """Where one of the account's keys lives."""
    sas: SecretRef | None = None
    """Where a shared access signature lives: a query such as `sv=...&sig=...`."""
    identity: bool = False
    """Whether azure-identity finds the credential: a login, a managed identity and so on."""
    mount: Way = "auto"
    """How jobs see its containers: by FUSE, as copies, or by FUSE where that is possible."""

    @property
    def secret(self) -> SecretRef | None:
        """Where its secret lives; None if it has none."""
        return self.key or self.sas

    @property
    def smb_server(self) -> tuple[str, int | None]:
        """Host and port of what serves its file shares by SMB; None is SMB's own port."""
        parts = urlsplit(self.file_endpoint)
        assert parts.hostname, "it was checked"
        return parts.hostname, parts.port if parts.scheme == "smb" else None

    @property
    def is_emulated(self) -> bool:
        """Whether an emulator serves its blobs, as Azurite does: its name is a path of a host."""
        return urlsplit(self.blob_endpoint).path.strip("/") == self.name

    def shown(self) -> dict[str, object]:
        """Return the values of its table, by their keys there, with defaults filled in."""
        shown: dict[str, object] = {
            "blob-endpoint": self.blob_endpoint,
            "file-endpoint": self.file_endpoint,
            "mount": self.mount,
        }
        for key, reference in (("key", self.key), ("sas", self.sas)):
            if reference:
                shown[key] = f"{reference.source}:{reference.name}"
        return shown | ({"identity": "true"} if self.identity else {})

    def dumped(self) -> dict[str, Any]:
        """Return all values as JSON has them; `load_account` makes settings of them."""
        return asdict(self)


def load_account(kept: Mapping[str, Any]) -> AccountSettings:
    """Return the settings that `dumped` was asked of."""
    references = {name: SecretRef(**kept[name]) for name in ("key", "sas") if kept[name]}
    return AccountSettings(**{**kept, **references})


def load_accounts(kept: Iterable[Mapping[str, Any]]) -> tuple[AccountSettings, ...]:
    """Return the settings of several."""
    return tuple(map(load_account, kept))


def read_accounts(tables: SettingsTable) -> dict[str, AccountSettings]:
    """Return the real accounts of a context, by name.

    Args:
        tables: `[contexts.NAME.accounts]`.

    Raises:
        ContextError: a table is not valid; the message says where.
    """
    return {name: _account(name, tables) for name in tables}


def _account(name: str, tables: SettingsTable) -> AccountSettings:
    table = tables.table(name)
    if not re.fullmatch(_NAME, name):
        rule = "an account's name has 3 to 24 lower-case letters and digits"
        raise tables.wrong(name, f"is no storage account: {rule}")
    table.check_keys("a storage account", ACCOUNT_KEYS)
    given = [key for key in _CREDENTIALS if key in table]
    if len(given) > 1:
        raise table.wrong(given[1], f"stands beside {given[0]}: keep one of them")
    return AccountSettings(
        name,
        _endpoint(table, "blob", name),
        _endpoint(table, "file", name),
        _reference(table, "key"),
        _reference(table, "sas"),
        table.flag("identity"),
        table.choice("mount", *get_args(Way)),
    )


def _endpoint(table: SettingsTable, service: str, name: str) -> str:
    key = f"{service}-endpoint"
    url = table.text(key) or f"https://{name}.{service}.core.windows.net"
    parts = urlsplit(url)
    # What is wrong is not repeated: a signature or a password may be a part of it.
    if parts.query or parts.username is not None or parts.fragment:
        raise table.wrong(key, "must be the service's URL alone: write key or sas for a secret")
    schemes = ("http", "https", *(("smb",) if service == "file" else ()))
    if parts.scheme not in schemes or not parts.hostname or not _has_port(parts):
        example = f"https://{name}.{service}.core.windows.net"
        raise table.wrong(key, f"must be a URL such as {example}")
    if parts.scheme == "smb" and parts.path.strip("/"):
        raise table.wrong(key, "must be smb://HOST or smb://HOST:PORT: mounts name the shares")
    return url.rstrip("/")


def _has_port(parts: SplitResult) -> bool:
    """Return whether the port of a URL is one, or left out."""
    try:
        _ = parts.port
    except ValueError:
        return False
    return True


def _reference(table: SettingsTable, key: str) -> SecretRef | None:
    """Return the reference to a secret behind a key.

    Raises:
        ContextError: it is anything else, which the message does not repeat: it may be the secret.
    """
    written = table.text(key)
    if written is None:
        return None
    source, _, name = written.partition(":")
    for known in SOURCES:
        if source == known and name and (known == "file" or re.fullmatch(_VARIABLE, name)):
            path = table.folder / os.path.expanduser(name)  # noqa: PTH111 - it never raises
            return SecretRef(known, str(path) if known == "file" else name)
    raise table.wrong(key, "must say where the secret is: env:NAME or file:PATH")
