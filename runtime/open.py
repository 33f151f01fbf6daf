"""From a context to the provider that serves it."""

from __future__ import annotations

from bai.runtime.context import Context
from bai.runtime.engines.local.engine import LocalEngine
from bai.runtime.provider.base import Provider
from bai.runtime.provider.embedded import EmbeddedProvider
from bai.runtime.provider.store import Store


def open_provider(context: Context) -> Provider:
    """Open the state of a context, and clean up what killed processes left behind.

    Raises:
        StateError: the state folder can't be used.
    """
    store = Store(context.state)
    provider = EmbeddedProvider(store, LocalEngine(store, context.engine))
    provider.reconcile()
    return provider
