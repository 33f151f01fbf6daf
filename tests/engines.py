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


def _far_table(values: Mapping[str, object]) -> str:
    return toml_lines({"name": "far", **values})


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
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables with which `bai` finds the engine."""

    __test__ = False  # no test of pytest's


ENGINES = {
    "local": TestedEngine(toml_lines),
    "far": TestedEngine(
        _far_table,
        _no_namespaces,
        inherits=False,
        is_one_machine=False,
        environment={"PYTHONPATH": str(PLUGINS)},
    ),
}
