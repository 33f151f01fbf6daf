"""The engines, found by the name that a context gives: local, or another package's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from bai.runtime.plugins import Plugins
from bai.runtime.settings_table import SettingsTable
from bai.runtime.storage_settings import StorageSettings

if TYPE_CHECKING:
    from bai.runtime.engines.base import Engine


class Settings(Protocol):
    """How an engine runs jobs. Each has a class of its own, with more values."""

    @property
    def name(self) -> str:
        """The engine's name."""

    @property
    def python(self) -> str | None:
        """Interpreter of jobs that name none; None for the one that runs bai."""

    def shown(self) -> dict[str, object]:
        """Return the values of its table, by their keys there, with defaults filled in."""


class SettingsReader(Protocol):
    """Makes an engine's settings from its table."""

    def __call__(self, table: SettingsTable, context: str, storage: StorageSettings) -> Settings:
        """Return the settings.

        Args:
            table: `[contexts.NAME.engine]`, with no other keys than the engine's.
            context: the context's name, for messages.
            storage: what the context says of storage accounts.

        Raises:
            ContextError: a value is not valid; the message says where.
        """


S = TypeVar("S", bound=Settings)


@dataclass(frozen=True, slots=True)
class EngineType(Generic[S]):
    """An engine as a package declares it, as an entry point in the group `bai.engines`."""

    keys: tuple[str, ...]
    """Keys of its table, besides `name`."""
    read: SettingsReader
    open: Callable[[Path, S], Engine]
    """Returns the engine, given the state folder and the settings."""
    load: Callable[[Mapping[str, Any]], S]
    """Returns the settings that were written as JSON, for a process that outlives a command."""


ENGINES: Final[Plugins[EngineType[Any]]] = Plugins(
    "engine",
    EngineType,
    "bai.engines",
    {"local": "bai.runtime.engines.local.plugin:LOCAL"},
)
