"""The nine toolkits, as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, Self

from pydantic import ConfigDict, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from bai.specs.complaints import complaint
from bai.specs.models.base import Count, Filled, SpecModel
from bai.specs.scalars import Text

ONE_COUNT: JsonDict = {"not": {"required": ["processCount", "processesPerNode"]}}


class Processes(SpecModel):
    """How many processes: at most one of the two keys."""

    model_config = ConfigDict(json_schema_extra=ONE_COUNT)

    process_count: Count | None = None
    """Number of processes in all; by default one for each node."""
    processes_per_node: Count | None = None
    """Number of processes on each node."""

    @classmethod
    def key_complaints(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield a complaint where the processes are counted twice."""
        yield from super().key_complaints(keys)
        if "processCount" in keys and "processesPerNode" in keys:
            message = "processCount and processesPerNode say the same thing twice"
            yield complaint("BAI305", message, "keep one of them", ("processesPerNode",))


class Script(SpecModel):
    """A Python script that runs in every process."""

    script: Filled
    """Path of the Python script."""
    args: Text | None = None
    """Arguments of the script, as a command line."""
    python: Filled | None = None
    """Path of the Python interpreter; by default the first `python` in PATH."""


class Horovod(Script, Processes):
    """Every process runs the script; Horovod tells it its rank."""


class PyTorch(Script, Processes):
    """Every process runs the script; `backend` says how they talk."""

    backend: Literal["TCP", "Gloo", "MPI", "tcp", "gloo", "mpi"] | None = None
    """Communication backend."""


class Chainer(Script, Processes):
    """Every process runs the script, under MPI."""


class Caffe2(Script):
    """One process on each node."""


class TensorFlow(SpecModel):
    """Every process runs the script with the arguments of its role."""

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

    model_config = ConfigDict(
        json_schema_extra={
            **ONE_COUNT,
            "oneOf": [{"required": ["config"]}, {"required": ["script"]}],
        }
    )

    config: Filled | None = None
    """Path of the program's own config file."""
    script: Filled | None = None
    """Path of a Python script, instead of `config`."""
    python: Filled | None = None
    """Path of the Python interpreter, with `script` only."""
    args: Text | None = None
    """Arguments."""

    @classmethod
    def key_complaints(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield a complaint where it isn't clear which program to run."""
        yield from super().key_complaints(keys)
        config, script = "config" in keys, "script" in keys
        if config == script:
            found, hint = ("both", "keep one of them") if config else ("neither", "add one of them")
            yield complaint("BAI702", f"expected one of config and script, found {found}", hint)
        elif "python" in keys and config:
            hint = "leave it out: a config file runs no Python"
            yield complaint("BAI702", "python goes with script, not with config", hint, ("python",))


class Caffe(ConfigOrScript):
    """A solver's config file or a Python script."""


class Cntk(ConfigOrScript):
    """A BrainScript config file or a Python script."""

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
    """Every process runs it."""

    command: Filled
    """Command line of each process."""


class Custom(SpecModel):
    """It runs once, whatever `nodeCount` is."""

    command: Filled
    """Command line."""
