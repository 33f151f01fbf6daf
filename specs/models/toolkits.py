"""The nine toolkits, as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Literal, Self

from pydantic import ConfigDict, model_validator
from pydantic.config import JsonDict
from pydantic_core import PydanticCustomError

from bai.specs.models.base import Count, Filled, SpecModel, one_key
from bai.specs.models.commands import Arguments, CommandLine
from bai.specs.models.errors import model_error

ONE_COUNT: JsonDict = {"not": {"required": ["processCount", "processesPerNode"]}}


class Processes(SpecModel):
    """How many processes: at most one of the two keys."""

    model_config = ConfigDict(json_schema_extra=ONE_COUNT)

    process_count: Count | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: Count | None = None
    """Number of processes on each node, one for each of its GPUs, for example; by default 1."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error where the processes are counted twice."""
        yield from super().key_errors(keys)
        if "processCount" in keys and "processesPerNode" in keys:
            message = "processCount and processesPerNode say the same thing twice"
            yield model_error("BAI305", message, "keep one of them", ("processesPerNode",))


class Script(SpecModel):
    """A Python script that runs in every process."""

    script: Filled
    """Path of the Python script: `$AZ_BATCHAI_JOB_MOUNT_ROOT/code/train.py`, for example."""
    args: Arguments | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: Filled | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """


class Horovod(Script, Processes):
    """Every process runs the script; Horovod tells it its rank."""


class PyTorch(Script, Processes):
    """Every process runs the script; `backend` says how they talk."""

    backend: Literal["TCP", "Gloo", "MPI", "tcp", "gloo", "mpi"] | None = None
    """How the processes talk to each other."""


class Chainer(Script, Processes):
    """Every process runs the script, under MPI."""


class Caffe2(Script):
    """One process on each node."""


class TensorFlow(SpecModel):
    """Every process runs the script with the arguments of its role."""

    script: Filled
    """Path of the Python script: `$AZ_BATCHAI_JOB_MOUNT_ROOT/code/train.py`, for example."""
    python: Filled | None = None
    """Path of the Python interpreter; by default the first `python` in PATH."""
    master_args: Arguments | None = None
    """Arguments of the script in the master, as one line or a list of words."""
    worker_args: Arguments | None = None
    """Arguments of the script in the workers, as one line or a list of words."""
    parameter_server_args: Arguments | None = None
    """Arguments of the script in the parameter servers, as one line or a list of words."""
    worker_count: Count | None = None
    """Number of worker processes; by default one for each node."""
    parameter_server_count: Count | None = None
    """Number of parameter server processes; by default 1, and none in a job of one node that says
    neither this nor `workerCount`."""


class ConfigOrScript(Processes):
    """A program that runs a config file of its own or a Python script."""

    model_config = ConfigDict(json_schema_extra=ONE_COUNT | one_key("config", "script"))

    config: Filled | None = None
    """Path of the program's own config file, `solver.prototxt` for example (Caffe) or `train.cntk`
    (CNTK).
    """
    script: Filled | None = None
    """Path of a Python script to run instead of `config`."""
    python: Filled | None = None
    """Path of the Python interpreter, with `script` only; by default the first `python` in PATH."""
    args: Arguments | None = None
    """Arguments of the program or the script, as one line or a list of words."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error where it isn't clear which program to run."""
        yield from super().key_errors(keys)
        config, script = "config" in keys, "script" in keys
        if config == script:
            found, hint = ("both", "keep one of them") if config else ("neither", "add one of them")
            yield model_error("BAI702", f"expected one of config and script, found {found}", hint)
        elif "python" in keys and config:
            hint = "leave it out: a config file runs no Python"
            yield model_error(
                "BAI702", "python goes with script, not with config", hint, ("python",)
            )


class Caffe(ConfigOrScript):
    """A solver's config file or a Python script."""


class Cntk(ConfigOrScript):
    """A BrainScript config file or a Python script."""

    language: Literal["BrainScript", "Python", "brainscript", "python"] | None = None
    """Language of the model; by default BrainScript with `config`, Python with `script`."""

    @model_validator(mode="after")
    def _fitting_language(self) -> Self:
        language = (self.language or "").lower()
        if (language == "python" and self.config) or (language == "brainscript" and self.script):
            message = f"language {self.language} goes with {'script' if self.config else 'config'}"
            raise model_error("BAI702", message, "leave language out", ("language",))
        return self


class CustomMpi(Processes):
    """Every process runs the command line."""

    command: CommandLine
    """Command line of each process: `python train.py` for a shell, or one command word by word,
    `[python, train.py]`.
    """


class Custom(SpecModel):
    """The command line runs once, whatever `nodeCount` is; it can start others itself."""

    command: CommandLine
    """Command line, run on the first node: `bash run.sh` for a shell, or one command word by word,
    `[bash, run.sh]`.
    """
