"""Wrong decisions, made of the right ones by a change of their source."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import replace
from types import ModuleType

from simulating.rules import Rules

from bai.runtime.scheduling import autoscale, ends, resize, starts, sweeps, waiting

_MODULES = {
    "autoscale": autoscale,
    "ends": ends,
    "resize": resize,
    "starts": starts,
    "sweeps": sweeps,
    "waiting": waiting,
}
_DECISIONS = {
    "autoscale": ("autoscale",),
    "ends": ("released", "nodes_lost"),
    "resize": ("resize",),
    "starts": ("schedule", "submit"),
    "sweeps": ("members", "held_waiting"),
    "waiting": ("waiting",),
}


def mutant(name: str, changes: Mapping[str, str]) -> Rules:
    """Return the decisions with changes in one module.

    Raises:
        ValueError: the module does not hold an old text exactly once.
    """
    source = inspect.getsource(_MODULES[name])
    for old, new in changes.items():
        if source.count(old) != 1:
            raise ValueError(f"{name} has {source.count(old)} times: {old}")
        source = source.replace(old, new)
    module = ModuleType(f"mutant_{name}")
    exec(compile(source, f"mutant of {name}", "exec"), module.__dict__)
    return replace(Rules(), **{each: getattr(module, each) for each in _DECISIONS[name]})
