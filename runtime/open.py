"""From a context to the provider that serves it."""

from __future__ import annotations

from typing import Any

from bai.runtime.context import Context
from bai.runtime.engines.base import Engine
from bai.runtime.engines.registry import ENGINES, Settings
from bai.runtime.provider.base import Provider
from bai.runtime.provider.registry import PROVIDERS


def open_provider(context: Context) -> Provider:
    """Open the state of a context, and clean up what killed processes left behind.

    Raises:
        ContextError: the tables of its provider or its engine are not valid.
        StateError: the state folder can't be used.
    """

    def engine(store: Any) -> Engine:
        return open_engine(store, context.engine)

    settings = context.provider
    provider: Provider = PROVIDERS.find(settings.name).open(settings, engine)
    provider.reconcile()
    return provider


def open_engine(store: Any, settings: Settings) -> Engine:
    """Return the engine that has these settings, for the attempts in a provider's store."""
    engine: Engine = ENGINES.find(settings.name).open(store, settings)
    return engine
