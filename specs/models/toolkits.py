"""The nine toolkits, as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    model_validator,
)
from pydantic.config import JsonDict
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bai.specs.models.base import LARGEST_INTEGER, Count, Filled, SpecModel, one_key
from bai.specs.models.commands import Arguments, CommandLine
from bai.specs.models.errors import model_error
from bai.specs.models.scalars import Flag, read_integer
from bai.specs.names import nearest
from bai.specs.source.plain_scalar import kind_of


class _PerNode:
    """Reads a number, or `gpu`."""

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        count = handler.generate_schema(Annotated[int, Field(ge=1, le=LARGEST_INTEGER)])
        return core_schema.no_info_wrap_validator_function(_per_node, count)

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        count = {"type": "integer", "minimum": 1, "maximum": LARGEST_INTEGER}
        return {"anyOf": [count, {"type": "string", "const": GPU}]}


GPU: Final = "gpu"
"""In place of a number: one for each GPU of a node."""


def _per_node(value: Any, validate: core_schema.ValidatorFunctionWrapHandler) -> Any:
    if value == GPU:
        return GPU
    expected = f"a whole number or {GPU}"
    if isinstance(value, str) and nearest(value, [GPU]):
        message = f"expected {expected}, found {kind_of(value)}"
        raise model_error("BAI203", message, f"write {GPU}", meant=GPU)
    return validate(read_integer(value, expected))


PerNode = Annotated[int | Literal["gpu"], _PerNode()]
"""A number on each node."""
ONE_COUNT: JsonDict = {"not": {"required": ["processCount", "processesPerNode"]}}


class Processes(SpecModel):
    """How many processes: at most one of the two keys."""

    model_config = ConfigDict(json_schema_extra=ONE_COUNT)

    process_count: Count | None = None
    """Number of processes on all nodes together; by default one for each node."""
    processes_per_node: PerNode | None = None
    """Number of processes on each node, or `gpu`: one for each GPU of a node, which the cluster's
    `vmSize` says, and on this machine the machine itself. By default 1.
    """

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
    """Path of the Python script: `train.py` in the job's `code`, or `${mounts.code}/train.py`."""
    args: Arguments | None = None
    """Arguments of the script, as one line or word by word: `--epochs 10`, `[--epochs, 10]`."""
    python: Filled | None = None
    """Path of the Python interpreter, `/opt/env/bin/python` for example; by default the first
    `python` in PATH.
    """


class Horovod(Script, Processes):
    """Every process runs the script; Horovod tells it its rank."""

    timeline: Flag | None = None
    """Whether Horovod records what it does when: `timeline.json` in the output `TIMELINE`, beside
    the logs, for Chrome's `chrome://tracing` or https://ui.perfetto.dev. By default it does not.
    """


class PyTorch(Script, Processes):
    """Every process runs the script; `backend` says how they talk."""

    backend: Literal["tcp", "gloo", "mpi"] | None = None
    """How the processes talk to each other."""


class Chainer(Script, Processes):
    """Every process runs the script, under MPI."""


class Caffe2(Script):
    """One process on each node."""


class TensorFlow(Script):
    """Every process runs the script, with the arguments of its role where that has its own."""

    model_config = ConfigDict(
        json_schema_extra={"not": {"required": ["workerCount", "workersPerNode"]}}
    )

    master_args: Arguments | None = None
    """Arguments of the script in the master, in place of `args`."""
    worker_args: Arguments | None = None
    """Arguments of the script in the workers, in place of `args`."""
    parameter_server_args: Arguments | None = None
    """Arguments of the script in the parameter servers, in place of `args`."""
    worker_count: Count | None = None
    """Number of worker processes on all nodes together; by default one for each node."""
    workers_per_node: PerNode | None = None
    """Number of worker processes on each node, or `gpu`: one for each GPU of a node, which the
    cluster's `vmSize` says, and on this machine the machine itself. By default 1.
    """
    parameter_server_count: Count | None = None
    """Number of parameter server processes; by default 1, and none in a job of one node that says
    neither this nor how many workers it has."""

    @property
    def counts_workers(self) -> bool:
        """Whether a number of workers is given, in one way or the other."""
        return self.worker_count is not None or self.workers_per_node is not None

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error where the workers are counted twice."""
        yield from super().key_errors(keys)
        if "workerCount" in keys and "workersPerNode" in keys:
            message = "workerCount and workersPerNode say the same thing twice"
            yield model_error("BAI305", message, "keep one of them", ("workersPerNode",))


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

    language: Literal["brainScript", "python"] | None = None
    """Language of the model; by default brainScript with `config`, python with `script`."""

    @model_validator(mode="after")
    def _fitting_language(self) -> Self:
        language = self.language
        if (language == "python" and self.config) or (language == "brainScript" and self.script):
            message = f"language {language} goes with {'script' if self.config else 'config'}"
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
