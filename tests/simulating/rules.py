"""The decisions that a simulation drives; a test puts wrong ones in their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bai.runtime.scheduling.autoscale import autoscale, first_nodes
from bai.runtime.scheduling.ends import nodes_lost, released
from bai.runtime.scheduling.resize import resize
from bai.runtime.scheduling.starts import schedule, submit
from bai.runtime.scheduling.sweeps import held_waiting, members
from bai.runtime.scheduling.waiting import waiting


@dataclass(frozen=True, slots=True)
class Rules:
    """The decisions."""

    schedule: Callable[..., Any] = schedule
    submit: Callable[..., Any] = submit
    waiting: Callable[..., Any] = waiting
    members: Callable[..., Any] = members
    held_waiting: Callable[..., Any] = held_waiting
    resize: Callable[..., Any] = resize
    autoscale: Callable[..., Any] = autoscale
    first_nodes: Callable[..., Any] = first_nodes
    released: Callable[..., Any] = released
    nodes_lost: Callable[..., Any] = nodes_lost
