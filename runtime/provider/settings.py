"""The settings of the embedded provider: the table `[contexts.NAME.provider]`.

name = "embedded"  # the default
state = ".bai"     # folder of the state, relative to the file
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bai.runtime.settings_table import SettingsTable

KEYS: Final = ("state",)


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """How the embedded provider holds resources."""

    state: Path
    """Absolute path of the state folder."""
    name: str = "embedded"
    """Name of the provider."""

    def shown(self) -> dict[str, object]:
        """Return the values of the table, with defaults filled in."""
        return {"state": self.state}


def read_settings(table: SettingsTable) -> EmbeddedSettings:
    """Return the settings in a table.

    Raises:
        ContextError: a value is not valid.
    """
    return EmbeddedSettings(table.path("state") or table.folder / ".bai")
