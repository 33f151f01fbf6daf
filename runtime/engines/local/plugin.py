"""The local engine as the registry knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bai.runtime.engines.local.settings import KEYS, EngineSettings, read_settings
from bai.runtime.engines.registry import EngineType

if TYPE_CHECKING:
    from bai.runtime.engines.base import Engine


def _open(store: Any, settings: EngineSettings) -> Engine:
    from bai.runtime.engines.local.engine import LocalEngine

    return LocalEngine(store, settings)


LOCAL: Final = EngineType(KEYS, read_settings, _open)
