"""Configuration files: read as TOML, with messages that say where."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bai.specs.errors import ContextError
from bai.specs.names import suggestion

if TYPE_CHECKING:
    from bai.specs.toml_places import Keys, Place

BAI_TABLES: Final = ("contexts", "current-context", "lint")
"""Keys of bai.toml; `lint` is read by `bai lint` alone."""
BUILT_IN: Final = "local"
"""Name of the context that is always there."""
CONTEXT_KEYS: Final = (
    "storage",
    "resource-group",
    "workspace",
    "location",
    "subscription",
    "storage-account",
    "cluster",
    "vm-size",
    "code-limit",
    "provider",
    "engine",
    "accounts",
    "file-servers",
)
"""Keys of a context."""
ACCOUNT_KEYS: Final = ("blob-endpoint", "file-endpoint", "key", "sas", "identity", "mount")
"""Keys of a storage account that is real."""
FILE_SERVER_KEYS: Final = ("export", "folder")
"""Keys of what stands for a file server."""
HOMES: Final = {
    "contexts.NAME": CONTEXT_KEYS,
    "contexts.NAME.provider": ("state",),
    "contexts.NAME.engine": (
        "slots",
        "launcher",
        "bind-to",
        "python",
        "setup-task",
        "unmanaged-mounts",
        "containers",
        "images",
    ),
    "contexts.NAME.accounts.ACCOUNT": ACCOUNT_KEYS,
    "contexts.NAME.file-servers.SERVER": FILE_SERVER_KEYS,
}
"""Table -> keys that may stand in it in a context with the default provider and engine."""


class TomlFile:
    """A configuration file with what it says."""

    def __init__(self, path: Path, content: bytes) -> None:
        """Parse the content of a file.

        Raises:
            ContextError: it is no TOML; the message begins with file, line and column.
        """
        import tomllib

        self.path = path
        try:
            self.text = content.decode()
            self.data: dict[str, Any] = tomllib.loads(self.text)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ContextError(f"{path}:{line}: this is no UTF-8, as TOML must be") from None
        except tomllib.TOMLDecodeError as error:
            raise ContextError(_placed(str(error), content, path)) from None

    def key_place(self, *keys: str) -> str:
        """Return file, line and column of a key, or of the last one on the way that is written."""
        return self._shown(self._place(keys).key)

    def value_place(self, *keys: str) -> str:
        """Return file, line and column of a value; of its key, for a table that has a heading."""
        place = self._place(keys)
        return self._shown(place.key if place.value is None else place.value)

    @cached_property
    def places(self) -> dict[Keys, Place]:
        """Keys -> where they and their values stand in the text."""
        from bai.specs.toml_places import places

        return places(self.text)

    def _place(self, keys: Keys) -> Place:
        written = (keys[:end] for end in range(len(keys), 0, -1) if keys[:end] in self.places)
        return self.places[next(written)]

    def _shown(self, offset: int) -> str:
        line = self.text.count("\n", 0, offset) + 1
        return f"{self.path}:{line}:{offset - self.text.rfind(chr(10), 0, offset)}"


def check_tables(file: TomlFile) -> None:
    """Check that a bai.toml has no other keys than those that it may have.

    Raises:
        ContextError: it has one; the message begins with file, line and column.
    """
    for key in file.data:
        if key in BAI_TABLES:
            continue
        where = file.key_place(key)
        if key == "tool":
            raise ContextError(f"{where}: [tool...] is for pyproject.toml; write [lint] here")
        hint = suggestion(key, BAI_TABLES)
        for table, keys in HOMES.items():
            if key in keys:
                hint = f"it belongs below [{table}]; the built-in context is {BUILT_IN}"
        raise ContextError(f"{where}: unknown key {key!r} ({hint})")


def _placed(message: str, content: bytes, file: Path) -> str:
    """Return a message of tomllib's with its place at the beginning."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if found:
        return f"{file}:{found[2]}:{found[3]}: {found[1]}"
    last = content.rstrip().count(b"\n") + 1
    return f"{file}:{last}: {message.removesuffix(' (at end of document)')}, at the end of the file"
