"""Contexts: named places to run, from `bai.toml`.

current-context = "laptop"

[contexts.laptop]
resource-group = "research"  # defaults of specs; likewise workspace, location,
storage-account = "data"     # subscription, cluster, vm-size
storage = "/data/accounts"   # folder of the storage accounts; by default in the state folder

[contexts.laptop.provider]   # holds resources: runtime/provider/settings.py
name = "embedded"            # the default
state = ".bai"

[contexts.laptop.engine]     # runs processes: runtime/engines/local/settings.py
name = "local"               # the default
slots = 4

[contexts.laptop.accounts.mystore]  # a storage account that is real: runtime/account_settings.py
key = "env:MYSTORE_KEY"

[contexts.laptop.file-servers.nfs]  # what stands for a file server: runtime/file_server_settings.py
export = "10.0.0.5:/data"

The storage accounts belong to neither provider nor engine: `bai storage` works on them without a
provider, and every engine mounts the same ones.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from bai.compiler.compilation import NO_SUBSCRIPTION, UNNAMED, Defaults
from bai.runtime.settings_table import Homes, SettingsTable
from bai.specs.errors import ContextError
from bai.specs.names import suggestion
from bai.specs.toml_files import BUILT_IN, CONTEXT_KEYS, TomlFile, check_tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bai.runtime.account_settings import AccountSettings
    from bai.runtime.engines.registry import EngineType
    from bai.runtime.engines.registry import Settings as EngineSettings
    from bai.runtime.file_server_settings import FileServerSettings
    from bai.runtime.plugins import Plugins
    from bai.runtime.provider.registry import ProviderType
    from bai.runtime.provider.registry import Settings as ProviderSettings

T = TypeVar("T")
FILE: Final = "bai.toml"
CURRENT: Final = "current-context"
_PROVIDER: Final = "embedded"
_CODE_LIMIT: Final = "100m"
_ENGINE: Final = "local"


@dataclass(frozen=True)
class Context:
    """A place to run.

    The tables of its provider and its engine are read when they are asked for: a lint needs
    neither, and a context of another machine may have an engine that is not installed here.
    """

    name: str
    defaults: Defaults
    table: SettingsTable
    """`[contexts.NAME]`."""
    source: Path | None = None
    """The file that the context is written in; None for the built-in one."""

    @cached_property
    def provider(self) -> ProviderSettings:
        """What holds its resources.

        Raises:
            ContextError: there is no such provider, or its table is not valid.
        """
        declared = _provider_type(self.table)
        table = self._part(f"the provider {self.provider_name}", "provider", declared.keys)
        settings: ProviderSettings = declared.read(table)
        return settings

    @cached_property
    def engine(self) -> EngineSettings:
        """How its jobs are run.

        Raises:
            ContextError: there is no such engine, or its table is not valid.
        """
        declared = _engine_type(self.table)
        table = self._part(f"the engine {self.engine_name}", "engine", declared.keys)
        # Imported here: a lint opens a context, and needs no storage.
        from bai.runtime.storage_settings import StorageSettings

        folder = self.table.path("storage")
        storage = StorageSettings(folder, self.accounts, self.file_servers)
        return declared.read(table, self.name, storage)

    def _part(self, noun: str, part: str, keys: Sequence[str]) -> SettingsTable:
        """Return the table of a part of the context, which has no other keys than these.

        Raises:
            ContextError: it has.
        """
        table = self.table.table(part)
        table.check_keys(noun, ("name", *keys), lambda: _homes(self.table))
        return table

    def check(self) -> None:
        """Read the tables of the provider and the engine.

        Raises:
            ContextError: there is none of such a name, or its table is not valid.
        """
        _ = self.provider, self.engine

    @property
    def provider_name(self) -> str:
        """The provider's name; there may be none of that name."""
        return self.table.table("provider").text("name") or _PROVIDER

    @property
    def engine_name(self) -> str:
        """The engine's name; there may be none of that name."""
        return self.table.table("engine").text("name") or _ENGINE

    @property
    def code_limit(self) -> int:
        """The bytes that the code of a job may have."""
        return _code_limit(self.table)

    @property
    def state(self) -> Path:
        """Absolute path of the state folder."""
        return self.provider.state

    @property
    def storage(self) -> Path:
        """Absolute path of the folder of the storage accounts."""
        return self.table.path("storage") or self.state / "storage"

    @property
    def accounts(self) -> dict[str, AccountSettings]:
        """The storage accounts that are real, by name; all others are folders in `storage`."""
        return _accounts(self.table)

    @property
    def file_servers(self) -> dict[str, FileServerSettings]:
        """What stands for file servers, by name; all others are folders of the state."""
        return _file_servers(self.table)


def _accounts(table: SettingsTable) -> dict[str, AccountSettings]:
    """Return the storage accounts that are real, by name.

    Raises:
        ContextError: the table of one is not valid.
    """
    if "accounts" not in table:
        return {}
    # Imported here: few contexts have any.
    from bai.runtime.account_settings import read_accounts

    return read_accounts(table.table("accounts"))


def _file_servers(table: SettingsTable) -> dict[str, FileServerSettings]:
    """Return what stands for file servers, by name.

    Raises:
        ContextError: the table of one is not valid.
    """
    if "file-servers" not in table:
        return {}
    # Imported here: few contexts have any.
    from bai.runtime.file_server_settings import read_file_servers

    return read_file_servers(table.table("file-servers"))


def find_file(start: Path) -> Path | None:
    """Return the nearest bai.toml in `start` or above it."""
    for folder in (start, *start.parents):
        if (folder / FILE).is_file():
            return folder / FILE
    return None


def built_in(folder: Path) -> Context:
    """Return the context that is there without any bai.toml, with its state in a folder."""
    return _context(BUILT_IN, SettingsTable({}, folder))


class Contexts(NamedTuple):
    """All contexts of a place."""

    by_name: dict[str, Context]
    top: SettingsTable
    """What the whole bai.toml says; empty without one."""
    file: TomlFile | None

    @property
    def current(self) -> str:
        """The name of the current one.

        Where the file does not say which it is, it is the only one in it, or the built-in one.

        Raises:
            ContextError: the file names one that is not there.
        """
        named = list(self.top.table("contexts"))
        current = self.top.text(CURRENT) or (named[0] if len(named) == 1 else BUILT_IN)
        if current not in self.by_name:
            hint = suggestion(current, self.by_name)
            why = f"can't be {current!r}: there is no such context ({hint})"
            raise self.top.wrong(CURRENT, why)
        return current


def read_contexts(start: Path) -> Contexts:
    """Return the contexts of the nearest bai.toml in `start` or above it, and the built-in one.

    Raises:
        ContextError: bai.toml is not valid.
    """
    path = find_file(start.absolute())
    if path is None:
        folder = start.absolute()
        return Contexts({BUILT_IN: built_in(folder)}, SettingsTable({}, folder), None)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ContextError(f"can't read {path}: {error.strerror}") from None
    file = TomlFile(path, content)
    check_tables(file)
    top = SettingsTable(file.data, path.parent, (), file)
    tables = top.table("contexts")
    contexts = {name: _context(name, tables.table(name), path) for name in tables}
    contexts.setdefault(BUILT_IN, built_in(path.parent))
    return Contexts(contexts, top, file)


def load_contexts(start: Path) -> tuple[dict[str, Context], str]:
    """Return all contexts by name, and the name of the current one.

    Raises:
        ContextError: bai.toml is not valid.
    """
    contexts = read_contexts(start)
    return contexts.by_name, contexts.current


def select(name: str | None, start: Path) -> Context:
    """Return the context of this name, of BAI_CONTEXT, or the current one.

    Raises:
        ContextError: there is no such context, or bai.toml is not valid.
        TypeError: the name is no text.
    """
    if not isinstance(name, str | None):
        raise TypeError(f"context must be the name of a context, a str, not {type(name).__name__}")
    contexts, current = load_contexts(start)
    wanted = name or os.environ.get("BAI_CONTEXT") or current
    if wanted not in contexts:
        source = ", which BAI_CONTEXT names" if not name and wanted != current else ""
        hint = suggestion(wanted, contexts)
        raise ContextError(f"there is no context {wanted!r}{source} ({hint})")
    return contexts[wanted]


def _context(name: str, table: SettingsTable, source: Path | None = None) -> Context:
    """Return a context; of its provider and its engine, only the names are checked here."""
    table.check_keys("a context", CONTEXT_KEYS, lambda: _homes(table))
    defaults = Defaults(
        subscription=table.text("subscription") or NO_SUBSCRIPTION,
        resource_group=table.text("resource-group") or UNNAMED,
        workspace=table.text("workspace") or UNNAMED,
        location=table.text("location") or UNNAMED,
        cluster=table.text("cluster"),
        vm_size=table.text("vm-size") or UNNAMED,
        storage_account=table.text("storage-account")
        or os.environ.get("AZURE_BATCHAI_STORAGE_ACCOUNT"),
    )
    table.path("storage")
    _accounts(table)
    _file_servers(table)
    _code_limit(table)
    for part in ("provider", "engine"):
        table.table(part).text("name")
    return Context(name, defaults, table, source)


def _code_limit(table: SettingsTable) -> int:
    written = table.text("code-limit") or _CODE_LIMIT
    match = re.fullmatch("([1-9][0-9]*)([kmg])", written)
    if match is None:
        raise table.wrong("code-limit", f"can't be {written!r}: write a size such as {_CODE_LIMIT}")
    return int(match[1]) * {"k": 10**3, "m": 10**6, "g": 10**9}[match[2]]


def _homes(table: SettingsTable) -> Homes:
    """Return the keys of a context's tables, as far as its provider and its engine are known."""
    homes: dict[str, tuple[str, ...]] = {table.heading: CONTEXT_KEYS}
    for part, declared in (("provider", _provider_type), ("engine", _engine_type)):
        with suppress(ContextError):
            homes[table.table(part).heading] = declared(table).keys
    return homes


def _provider_type(table: SettingsTable) -> ProviderType[Any]:
    from bai.runtime.provider.registry import PROVIDERS

    return _found(PROVIDERS, table.table("provider"), _PROVIDER)


def _engine_type(table: SettingsTable) -> EngineType[Any]:
    from bai.runtime.engines.registry import ENGINES

    return _found(ENGINES, table.table("engine"), _ENGINE)


def _found(plugins: Plugins[T], table: SettingsTable, default: str) -> T:
    """Return what a table names.

    Raises:
        ContextError: there is none of this name.
    """
    from bai.runtime.plugins import PluginError

    name = table.text("name") or default
    try:
        return plugins.find(name)
    except PluginError as error:
        raise table.wrong("name", f"can't be {name!r}: {error}") from error
