"""The local engine as the registry knows it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from bai.runtime.engines.local.settings import (
    KEYS,
    EngineSettings,
    load_settings,
    read_settings,
)
from bai.runtime.engines.registry import EngineType

if TYPE_CHECKING:
    from bai.runtime.engines.base import Engine


def _open(state: Path, settings: EngineSettings) -> Engine:
    from bai.runtime.engines.local.engine import LocalEngine

    return LocalEngine(state, settings)


LOCAL: Final = EngineType(KEYS, read_settings, _open, load_settings)
