"""The settings of the local engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from bai.runtime.node.cores import cpu_count
from bai.specs.toml_files import BUILT_IN

Launcher = Literal["gloo", "mpirun"]
BindTo = Literal["core", "none"]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """How the local engine runs jobs."""

    slots: int = field(default_factory=cpu_count)
    """Most processes that may run at once on this machine."""
    launcher: Launcher = "gloo"
    """What starts Horovod's processes."""
    bind_to: BindTo = "core"
    """What each process of a job is bound to: its share of the cores, or nothing."""
    python: str | None = None
    """Interpreter of jobs that name none; by default the one that runs bai."""
    storage: Path | None = None
    """Folder of the storage accounts; by default in the state folder."""
    context: str = BUILT_IN
    """Name of the context, for messages."""
