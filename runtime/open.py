"""From a context to the provider that serves it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bai.runtime.context import Context
from bai.runtime.engines.base import Engine
from bai.runtime.engines.registry import ENGINES
from bai.runtime.provider.base import Provider
from bai.runtime.provider.registry import PROVIDERS


def open_provider(context: Context) -> Provider:
    """Open the state of a context. That alone writes nothing.

    Raises:
        ContextError: the tables of its provider or its engine are not valid.
        StateError: the state folder can't be used.
    """

    def engine(state: Path) -> Engine:
        found: Engine = ENGINES.find(context.engine.name).open(state, context.engine)
        return found

    settings = context.provider
    provider: Provider = PROVIDERS.find(settings.name).open(settings, engine)
    return provider


def keep(state: Path, engine: str, settings: Mapping[str, Any]) -> None:
    """Take a keeper step for a state folder.

    Args:
        state: the state folder.
        engine: the name of its engine.
        settings: the engine's, as its `dumped` made them.

    Raises:
        StateError: the state can't be written.
    """
    from bai.runtime.provider.keeper import Keeper
    from bai.runtime.provider.store import Store

    found = ENGINES.find(engine)
    store = Store(state)
    Keeper(store, found.open(state, found.load(settings))).step()
    store.close()


def compare(state: Path, engine: str, settings: Mapping[str, Any]) -> None:
    """Compare what members of sweeps have reported; nothing is started by that.

    Args:
        state: the state folder.
        engine: the name of its engine.
        settings: the engine's, as its `dumped` made them.

    Raises:
        StateError: the state can't be written.
    """
    from bai.runtime.provider.keeper import Keeper
    from bai.runtime.provider.store import Store

    found = ENGINES.find(engine)
    store = Store(state)
    Keeper(store, found.open(state, found.load(settings))).import_journals()
    store.close()
