"""From a context to the provider that serves it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bai.runtime.context import Context
from bai.runtime.engines.base import Engine
from bai.runtime.engines.registry import ENGINES
from bai.runtime.provider.base import Provider
from bai.runtime.provider.registry import PROVIDERS

if TYPE_CHECKING:
    from bai.runtime.provider.keeper import Keeper


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
    with _keeper(state, engine, settings) as keeper:
        keeper.step()


def compare(state: Path, engine: str, settings: Mapping[str, Any]) -> None:
    """Compare what members of sweeps have reported; nothing is started by that.

    The arguments are those of `keep`.

    Raises:
        StateError: the state can't be written.
    """
    with _keeper(state, engine, settings) as keeper:
        keeper.import_journals()


@contextmanager
def _keeper(state: Path, engine: str, settings: Mapping[str, Any]) -> Iterator[Keeper]:
    from bai.runtime.provider.keeper import Keeper
    from bai.runtime.provider.store import Store

    found = ENGINES.find(engine)
    store = Store(state)
    yield Keeper(store, found.open(state, found.load(settings)))
    store.close()
