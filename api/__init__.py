"""bai: from one compact YAML file to a training run.

import bai

experiment = bai.load("experiment.yaml")
print(experiment.diff())
job = experiment.apply().jobs["train"]
for line in job.logs(follow=True):
print(line)
print(job.wait().state, job.final_metrics())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = ["Experiment", "Session", "__version__", "connect", "load", "loads"]

if TYPE_CHECKING:
    from bai.experiment import Experiment, load, loads
    from bai.session import Session, connect

_HOMES = {
    "Experiment": "bai.experiment",
    "load": "bai.experiment",
    "loads": "bai.experiment",
    "Session": "bai.session",
    "connect": "bai.session",
}


def __getattr__(name: str) -> Any:
    # Imported on first use: `from bai.metrics import report` in a training script costs nothing.
    if name not in _HOMES:
        raise AttributeError(f"module 'bai' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
