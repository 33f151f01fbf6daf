"""The providers, found by the name that a context gives: embedded, or another package's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from bai.runtime.plugins import Plugins
from bai.runtime.settings_table import SettingsTable

if TYPE_CHECKING:
    from bai.runtime.provider.base import Provider


class Settings(Protocol):
    """How a provider holds resources. Each has a class of its own."""

    @property
    def name(self) -> str:
        """The provider's name."""

    @property
    def state(self) -> Path:
        """Absolute path of the folder for what bai itself writes."""

    def shown(self) -> dict[str, object]:
        """Return the values of its table, by their keys there, with defaults filled in."""


S = TypeVar("S", bound=Settings)


@dataclass(frozen=True, slots=True)
class ProviderType(Generic[S]):
    """A provider as a package declares it, as an entry point in the group `bai.providers`."""

    keys: tuple[str, ...]
    """Keys of its table, besides `name`."""
    read: Callable[[SettingsTable], S]
    """Returns the settings in `[contexts.NAME.provider]`; raises a ContextError that says where."""
    open: Callable[[S, Callable[[Path], Any]], Provider]
    """Returns the provider, given its settings and what opens the engine that runs its jobs."""


PROVIDERS: Final[Plugins[ProviderType[Any]]] = Plugins(
    "provider",
    ProviderType,
    "bai.providers",
    {"embedded": "bai.runtime.provider.plugin:EMBEDDED"},
)
