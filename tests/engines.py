"""The engines that the acceptance suite runs on.

Another engine adds an entry: its name, how its context is written, and what it needs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from contexts import toml_lines


def _nothing() -> str | None:
    return None


@dataclass(frozen=True)
class TestedEngine:
    """An engine, as its users meet it."""

    table: Callable[[Mapping[str, object]], str]
    """Return what follows `[contexts.NAME.engine]` in bai.toml for these settings."""
    missing: Callable[[], str | None] = _nothing
    """Return why the engine can't run on this machine; None if it can."""

    __test__ = False  # no test of pytest's


ENGINES = {
    "local": TestedEngine(toml_lines),
}
