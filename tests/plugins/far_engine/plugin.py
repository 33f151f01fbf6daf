"""The engine as the registry knows it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bai.runtime.engines.local.engine import LocalEngine
from bai.runtime.engines.local.settings import KEYS, load_settings, read_settings
from bai.runtime.engines.registry import EngineType
from bai.runtime.storage_settings import StorageSettings

NAME = "far"


class FarEngine(LocalEngine):
    """Keeps attempts as the local engine does; their processes run behind agents."""

    guardian = "far_engine.guardian"
    setup_guardian = "far_engine.setup_guardian"
    has_disposable_nodes = True
    has_far_nodes = True


def _read(table: Any, context: str, storage: StorageSettings) -> Any:
    return replace(read_settings(table, context, storage), name=NAME)


FAR = EngineType(KEYS, _read, FarEngine, load_settings)
