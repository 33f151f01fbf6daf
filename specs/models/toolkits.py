"""The nine toolkits, as a person writes them."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import model_validator

from bai.specs.complaints import complaint
from bai.specs.models.base import Count, Filled, SpecModel
from bai.specs.scalars import Text


class Processes(SpecModel):
    """How many processes: at most one of the two keys."""

    process_count: Count | None = None
    """Number of processes in all; by default one for each node."""
    processes_per_node: Count | None = None
    """Number of processes on each node."""

    @model_validator(mode="after")
    def _counted_once(self) -> Self:
        if self.process_count is not None and self.processes_per_node is not None:
            message = "processCount and processesPerNode say the same thing twice"
            raise complaint("BAI305", message, "keep one of them", ("processesPerNode",))
        return self


class Script(SpecModel):
    """A Python script that runs in every process."""

    script: Filled
    """Path of the Python script."""
    args: Text | None = None
    """Arguments of the script, as a command line."""
    python: Filled | None = None
    """Path of the Python interpreter; by default the first `python` in PATH."""


class Horovod(Script, Processes):
    """Horovod job."""


class PyTorch(Script, Processes):
    """PyTorch job."""

    backend: Literal["TCP", "Gloo", "MPI", "tcp", "gloo", "mpi"] | None = None
    """Communication backend."""


class Chainer(Script, Processes):
    """Chainer job."""


class Caffe2(Script):
    """Caffe2 job: one process on each node."""


class TensorFlow(SpecModel):
    """TensorFlow job: a master, workers and parameter servers."""

    script: Filled
    """Path of the Python script."""
    python: Filled | None = None
    """Path of the Python interpreter."""
    master_args: Text | None = None
    """Arguments of the script in the master."""
    worker_args: Text | None = None
    """Arguments of the script in the workers."""
    parameter_server_args: Text | None = None
    """Arguments of the script in the parameter servers."""
    worker_count: Count | None = None
    """Number of workers; by default one for each node."""
    parameter_server_count: Count | None = None
    """Number of parameter servers; by default 1."""


class ConfigOrScript(Processes):
    """A program that runs a config file of its own or a Python script."""

    config: Filled | None = None
    """Path of the program's own config file."""
    script: Filled | None = None
    """Path of a Python script, instead of `config`."""
    python: Filled | None = None
    """Path of the Python interpreter, with `script` only."""
    args: Text | None = None
    """Arguments."""

    @model_validator(mode="after")
    def _one_program(self) -> Self:
        if (self.config is None) == (self.script is None):
            found = "neither" if self.config is None else "both"
            raise complaint("BAI702", f"expected one of config and script, found {found}")
        if self.python is not None and self.script is None:
            raise complaint("BAI702", "python goes with script", None, ("python",))
        return self


class Caffe(ConfigOrScript):
    """Caffe job: a solver's config file or a Python script."""


class Cntk(ConfigOrScript):
    """Cognitive Toolkit job: a BrainScript config file or a Python script."""

    language: Literal["BrainScript", "Python", "brainscript", "python"] | None = None
    """Language; by default by which of `config` and `script` is given."""

    @model_validator(mode="after")
    def _fitting_language(self) -> Self:
        language = (self.language or "").lower()
        if (language == "python" and self.config) or (language == "brainscript" and self.script):
            message = f"language {self.language} goes with {'script' if self.config else 'config'}"
            raise complaint("BAI702", message, "leave language out", ("language",))
        return self


class CustomMpi(Processes):
    """A command line in every process of an MPI job."""

    command: Filled
    """Command line of each process."""


class Custom(SpecModel):
    """A command line, run once, on the first node."""

    command: Filled
    """Command line."""
