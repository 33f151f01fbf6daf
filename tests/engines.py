"""The engines that the acceptance suite runs on.

Another engine adds an entry: its name, how its context is written, and what it needs.
"""

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from contexts import toml_lines

PLUGINS = Path(__file__).with_name("plugins")
"""A folder of packages, which bring engines."""


def _nothing() -> str | None:
    return None


def _table_of(name: str) -> Callable[[Mapping[str, object]], str]:
    return lambda values: toml_lines({"name": name, **values})


@cache
def _no_namespaces() -> str | None:
    """Return why nodes can't have mounts and a clock of their own."""
    command = ["unshare", "--mount", "--time", "--monotonic", "1", "--fork", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "there is no unshare"
    return done.stderr.strip() or None


@dataclass(frozen=True)
class TestedEngine:
    """An engine, as its users meet it."""

    table: Callable[[Mapping[str, object]], str]
    """Return what follows `[contexts.NAME.engine]` in bai.toml for these settings."""
    missing: Callable[[], str | None] = _nothing
    """Return why the engine can't run on this machine; None if it can."""
    inherits: bool = True
    """Whether jobs inherit the variables of the command that submits them."""
    is_one_machine: bool = True
    """Whether all nodes are one machine, whose cores their ranks share."""
    has_queue: bool = False
    """Whether it has a queue and nodes of its own, so that bai allocates and resizes none."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables with which `bai` finds the engine."""

    __test__ = False  # no test of pytest's


ENGINES = {
    "local": TestedEngine(toml_lines),
    "far": TestedEngine(
        _table_of("far"),
        _no_namespaces,
        inherits=False,
        is_one_machine=False,
        environment={"PYTHONPATH": str(PLUGINS)},
    ),
    "batch": TestedEngine(
        _table_of("batch"), has_queue=True, environment={"PYTHONPATH": str(PLUGINS)}
    ),
}
