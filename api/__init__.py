"""bai: from one compact YAML file to a training run.

Example::

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

__all__ = [
    "Experiment",
    "Limits",
    "Session",
    "__version__",
    "connect",
    "import_",
    "job",
    "load",
    "loads",
]

if TYPE_CHECKING:
    from bai.experiment import Experiment, Limits, load, loads
    from bai.importing import import_
    from bai.session import Session, connect, job

_HOMES = {
    "Experiment": "bai.experiment",
    "Limits": "bai.experiment",
    "load": "bai.experiment",
    "loads": "bai.experiment",
    "import_": "bai.importing",
    "Session": "bai.session",
    "connect": "bai.session",
    "job": "bai.session",
}


def __getattr__(name: str) -> Any:
    # Imported on first use: `from bai.metrics import report` in a training script costs nothing.
    if name not in _HOMES:
        raise AttributeError(f"module 'bai' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
