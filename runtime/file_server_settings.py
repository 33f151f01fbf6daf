"""File servers as a context maps them: the tables `[contexts.NAME.file-servers.SERVER]`.

[contexts.lab.file-servers.nfs]
export = "10.0.0.5:/data"  # an NFS export that exists; it is mounted by the kernel
folder = "/data/nfs"       # or a folder of this machine, which exists

A file server without a table is a folder of the state folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from bai.runtime.settings_table import SettingsTable
from bai.specs.toml_files import FILE_SERVER_KEYS

_EXPORT: Final = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+):(?P<path>/[^\s,]*)")


@dataclass(frozen=True, slots=True)
class FileServerSettings:
    """What stands for a file server."""

    name: str
    export: str | None = None
    """HOST:/PATH; None for a folder."""
    folder: str | None = None
    """Absolute path; None for an export."""

    def shown(self) -> dict[str, object]:
        """Return the values of its table, by their keys there."""
        return {"export": self.export} if self.export else {"folder": self.folder}

    def dumped(self) -> dict[str, Any]:
        """Return all values as JSON has them; `load_file_servers` makes settings of them."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class FileServers:
    """The file servers of a context."""

    root: Path
    """The folder with those that no table maps."""
    mapped: Mapping[str, FileServerSettings] = field(default_factory=dict)
    """Name -> what stands for it."""


def load_file_servers(kept: Iterable[Mapping[str, Any]]) -> tuple[FileServerSettings, ...]:
    """Return the settings that `dumped` was asked of."""
    return tuple(FileServerSettings(**each) for each in kept)


def read_file_servers(tables: SettingsTable) -> dict[str, FileServerSettings]:
    """Return what stands for file servers in a context, by their names.

    Args:
        tables: `[contexts.NAME.file-servers]`.

    Raises:
        ContextError: a table is not valid; the message says where.
    """
    return {name: _settings(name, tables) for name in tables}


def _settings(name: str, tables: SettingsTable) -> FileServerSettings:
    table = tables.table(name)
    table.check_keys("a file server", FILE_SERVER_KEYS)
    export, folder = table.text("export"), table.path("folder")
    if export is not None and folder is not None:
        raise table.wrong("folder", "stands beside export: keep one of them")
    if export is not None and not _EXPORT.fullmatch(export):
        raise table.wrong("export", "must be HOST:/PATH, such as 10.0.0.5:/data")
    if export is None and folder is None:
        raise tables.wrong(name, 'says nothing: write export = "HOST:/PATH" or folder = "PATH"')
    return FileServerSettings(name, export, str(folder) if folder else None)
