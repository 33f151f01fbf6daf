"""The embedded provider as the registry knows it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bai.runtime.provider.registry import ProviderType
from bai.runtime.provider.settings import KEYS, EmbeddedSettings, read_settings

if TYPE_CHECKING:
    from bai.runtime.provider.base import Provider


def _open(settings: EmbeddedSettings, open_engine: Callable[[Path], Any]) -> Provider:
    from bai.runtime.provider.embedded import EmbeddedProvider
    from bai.runtime.provider.store import Store

    store = Store(settings.state)
    return EmbeddedProvider(store, open_engine(store.folder))


EMBEDDED: Final = ProviderType(KEYS, read_settings, _open)
