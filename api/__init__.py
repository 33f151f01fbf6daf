"""bai: from one compact YAML file to a training run.

Example::

    import bai

    experiment = bai.load("experiment.yaml")
    print(experiment.diff())
    job = experiment.apply().jobs["train"]
    for line in job.logs(follow=True):
        print(line)
    print(job.wait().state, job.final_metrics())

What is wrong with a file is raised as `FindingsError`; all else that can go wrong, each with a
message for its user, is a `RuntimeFailure`: `ConflictError`, `NotFoundError` and so on. Some are
Python's own errors as well: `MissingFileError` a `FileNotFoundError`, `WaitTimeoutError` a
`TimeoutError`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

__all__ = [
    "ConflictError",
    "ConsentError",
    "ContextError",
    "Experiment",
    "FindingsError",
    "InUseError",
    "LaunchError",
    "Limits",
    "MissingFileError",
    "NotFoundError",
    "RuntimeFailure",
    "SecretError",
    "Session",
    "StateError",
    "StorageError",
    "WaitTimeoutError",
    "__version__",
    "connect",
    "figure",
    "import_",
    "job",
    "load",
    "loads",
    "spec",
    "write_report",
]

if TYPE_CHECKING:
    from bai import spec
    from bai.experiment import Experiment
    from bai.figures import figure
    from bai.html_report.writing import write_report
    from bai.importing import import_
    from bai.limits import Limits
    from bai.loading import load, loads
    from bai.runtime.errors import (
        ConsentError,
        InUseError,
        LaunchError,
        MissingFileError,
        NotFoundError,
        SecretError,
        StateError,
        StorageError,
        WaitTimeoutError,
    )
    from bai.session import Session, connect, job
    from bai.specs.errors import ConflictError, ContextError, RuntimeFailure
    from bai.specs.findings import FindingsError

_HOMES = {
    "bai.experiment": ("Experiment",),
    "bai.html_report.writing": ("write_report",),
    "bai.figures": ("figure",),
    "bai.importing": ("import_",),
    "bai.limits": ("Limits",),
    "bai.loading": ("load", "loads"),
    "bai.session": ("Session", "connect", "job"),
    "bai.specs.errors": ("ConflictError", "ContextError", "RuntimeFailure"),
    "bai.specs.findings": ("FindingsError",),
}
"""Module -> what comes from it; `spec` is one itself, all else comes from `bai.runtime.errors`."""


def __getattr__(name: str) -> Any:
    # Imported on first use: `from bai.metrics import report` in a training script costs nothing.
    if name not in __all__:
        raise AttributeError(f"module 'bai' has no attribute {name!r}")
    from importlib import import_module

    if name == "spec":
        return import_module("bai.spec")
    homes = (home for home, names in _HOMES.items() if name in names)
    return getattr(import_module(next(homes, "bai.runtime.errors")), name)


def __dir__() -> list[str]:
    return __all__
