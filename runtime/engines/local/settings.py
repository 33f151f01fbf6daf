"""The settings of the local engine: the table `[contexts.NAME.engine]`.

name = "local"       # the default
slots = 4            # processes that may run at once; by default one for each core
launcher = "gloo"    # or "mpirun"
bind-to = "core"     # or "none": whether each rank gets its own share of the cores
python = "envs/tf/bin/python"
unmanaged-mounts = "refuse"  # or "run": whether mount commands, shell lines, are run
setup-task = "skip"  # or "run": whether a cluster's setup task runs on this machine
containers = "auto"  # or "podman", "docker", "none": what runs jobs in containers; what is found
images = {"tensorflow/tensorflow:1.8.0-gpu" = "localhost/bai-tf"}  # others in their place
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, get_args

from bai.runtime.mounts.driver import Commands
from bai.runtime.node.cores import cpu_count
from bai.runtime.settings_table import SettingsTable
from bai.runtime.storage_settings import StorageSettings, load_storage
from bai.specs.toml_files import BUILT_IN

Launcher = Literal["gloo", "mpirun"]
BindTo = Literal["core", "none"]
SetupTask = Literal["skip", "run"]
Containers = Literal["auto", "podman", "docker", "none"]
KEYS: Final = (
    "slots",
    "launcher",
    "bind-to",
    "python",
    "setup-task",
    "unmanaged-mounts",
    "containers",
    "images",
)


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
    setup_task: SetupTask = "skip"
    """Whether a cluster's setup task, a root's shell line, runs on this machine."""
    unmanaged_mounts: Commands = "refuse"
    """Whether mount commands, shell lines for root, run on this machine."""
    containers: Containers = "auto"
    """What runs jobs that have a container: a program, the one that is found, or nothing."""
    images: Mapping[str, str] = field(default_factory=dict)
    """Image that jobs name -> image that takes its place."""
    storage: StorageSettings = field(default_factory=StorageSettings)
    """The storage accounts."""
    context: str = BUILT_IN
    """Name of the context, for messages."""
    name: str = "local"
    """Name of the engine."""

    def shown(self) -> dict[str, object]:
        """Return the values of the table, with defaults filled in."""
        return {
            "slots": self.slots,
            "launcher": self.launcher,
            "bind-to": self.bind_to,
            "python": self.python or sys.executable,
            "setup-task": self.setup_task,
            "unmanaged-mounts": self.unmanaged_mounts,
            "containers": self.containers,
            "images": ", ".join(f"{one} -> {other}" for one, other in self.images.items())
            or "none",
        }

    def dumped(self) -> dict[str, object]:
        """Return all values as JSON has them; `load_settings` makes settings of them."""
        return asdict(self) | {"storage": self.storage.dumped()}


def load_settings(kept: Mapping[str, Any]) -> EngineSettings:
    """Return the settings that `dumped` was asked of."""
    return EngineSettings(**{**kept, "storage": load_storage(kept["storage"])})


def read_settings(table: SettingsTable, context: str, storage: StorageSettings) -> EngineSettings:
    """Return the settings in a table.

    Raises:
        ContextError: a value is not valid.
    """
    python = table.text("python")
    if python and "/" in python:
        # Without a slash it is a name that is looked up in PATH.
        python = str(table.path("python"))
    return EngineSettings(
        slots=table.count("slots", cpu_count()),
        launcher=table.choice("launcher", *get_args(Launcher)),
        bind_to=table.choice("bind-to", *get_args(BindTo)),
        python=python,
        setup_task=table.choice("setup-task", *get_args(SetupTask)),
        unmanaged_mounts=table.choice("unmanaged-mounts", *get_args(Commands)),
        containers=table.choice("containers", *get_args(Containers)),
        images=table.table("images").texts(),
        storage=storage,
        context=context,
    )
