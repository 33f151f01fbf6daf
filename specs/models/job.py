"""Jobs, as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from bai.specs.durations import time_limit_error
from bai.specs.models import toolkits
from bai.specs.models.base import Count, Filled, Name, SpecModel, VariableName, one_key, short_form
from bai.specs.models.commands import CommandLine
from bai.specs.models.errors import model_error
from bai.specs.models.mounts import Mounts
from bai.specs.models.scalars import SCALAR_SCHEMA, Text
from bai.specs.models.secret_forms import SecretSource
from bai.specs.models.sizes import MemorySize
from bai.specs.models.sweep import Sweep
from bai.specs.toolkits import TOOLKITS


class RegistryCredentials(SpecModel):
    """Account of a private image registry."""

    username: Filled
    """User name in the registry."""
    password: SecretSource
    """Where the password lives: `env:REGISTRY_PASSWORD`, for example."""


class Container(SpecModel):
    """Container image: a bare name, or in full."""

    image: Filled
    """Name of the image, `tensorflow/tensorflow:1.10.0-gpu` for example; in a private registry with
    the server's name, `me.azurecr.io/train:3`.
    """
    server: Filled | None = None
    """Address of the image registry, `me.azurecr.io` for example; by default Docker Hub."""
    credentials: RegistryCredentials | None = None
    """User name and password of a private image registry."""
    shm_size: MemorySize | None = None
    """Size of /dev/shm with a unit (b, k, m, g or t), `8g` for example; by default Docker's, 64m.
    """


class Input(SpecModel):
    """Something to read: a bare path, or in full."""

    path: Filled
    """Path of a file or a directory, on one of the mounts or below another input. The job finds
    exactly this path in $AZ_BATCHAI_INPUT_ID.
    """


class Output(SpecModel):
    """Place of an output: a bare path, or in full."""

    path: Filled
    """Path of a directory on one of the mounts. Every run writes to PATH/SEGMENT/outputs/SUFFIX,
    whose segment names the job and the run.
    """
    suffix: Filled | None = None
    """Last part of that directory's path, `models` for example; by default none."""


def _time_limit(text: str) -> str:
    if wrong := time_limit_error(text):
        raise model_error("BAI306", *wrong)
    return text


def _output_ids(outputs: dict[str, Output]) -> dict[str, Output]:
    for name in outputs:
        if name.lower() == "stdouterr":
            message = f"the output id {name!r} is the service's own, for the logs"
            raise model_error("BAI302", message, "choose another id", (name,))
    return outputs


Inputs = dict[VariableName, Annotated[Input, short_form("path", SCALAR_SCHEMA)]]
"""ID -> input."""

Outputs = Annotated[
    dict[VariableName, Annotated[Output, short_form("path", SCALAR_SCHEMA)]],
    AfterValidator(_output_ids),
]
"""ID -> output."""


class Job(SpecModel):
    """One run of a program on the nodes of a cluster: exactly one toolkit."""

    model_config = ConfigDict(json_schema_extra=one_key(*TOOLKITS))

    cluster: Filled | None = None
    """Name of a cluster of this spec, or the ARM id of any; by default the spec's only cluster. In
    a spec without clusters it is the context's, or else one that is made to measure.
    """
    node_count: Count = 1
    """Number of nodes, 2 for example; all must be free before the job starts. By default 1."""
    priority: Literal["low", "normal", "high"] | None = None
    """Place among queued jobs: higher ones start first; the service's default is normal."""
    container: Annotated[Container, short_form("image", SCALAR_SCHEMA)] | None = None
    """Docker image that the job and its preparation run in; without one they run directly on the
    nodes.
    """
    code: Filled | None = None
    """Folder with the files that the job runs, from the folder of the spec's file: `.` is that
    folder. The job gets a copy of it as it is when it is applied, without what .gitignore and
    .baiignore leave out. Processes start there; $BAI_CODE leads to it.
    """
    mounts: Mounts = Field(default_factory=dict)
    """Path below $AZ_BATCHAI_JOB_MOUNT_ROOT -> volume that appears there, in a line such as
    `azureFile://ACCOUNT/SHARE` or `file:DIRECTORY`, or in full.
    """
    preparation: CommandLine | None = None
    """Command line run on every node before the toolkit starts: `pip install -r requirements.txt`
    for a shell, or one command word by word, `[pip, install, -r, requirements.txt]`.
    """
    inputs: Inputs = Field(default_factory=dict)
    """ID -> path of something to read, which the job finds in $AZ_BATCHAI_INPUT_ID: `{DATA:
    $AZ_BATCHAI_JOB_MOUNT_ROOT/data}`.
    """
    outputs: Outputs = Field(default_factory=dict)
    """ID -> path of a directory to write to, which is made for the job and found in
    $AZ_BATCHAI_OUTPUT_ID: `{MODEL: $AZ_BATCHAI_JOB_MOUNT_ROOT/data}`.
    """
    environment: dict[VariableName, Text] = Field(default_factory=dict)
    """Name -> text of an environment variable of the job and its preparation: `{OMP_NUM_THREADS:
    1}`.
    """
    secrets: dict[VariableName, SecretSource] = Field(default_factory=dict)
    """Name of an environment variable -> where its secret value lives: `{WANDB_API_KEY:
    env:WANDB_API_KEY}`.
    """
    logs: Filled | None = None
    """Path of a directory on one of the job's mounts that gets its stdout and stderr:
    `${mounts.NAME}` (Batch AI's stdOutErrPathPrefix). By default the mount called `logs`, or the
    share `logs` if the job has no such mount.
    """
    time_limit: Annotated[Text, AfterValidator(_time_limit)] | None = None
    """Longest run: `90m`, `12h`, `2d`, or ISO 8601 such as `PT12H`; then the job is ended. The
    service's default is 7 days.
    """

    sweep: Sweep | None = None
    """Makes many jobs of this one, its members, with other parameters or values: `{grid:
    {environment.SEED: [1, 2, 3]}}`.
    """

    horovod: toolkits.Horovod | None = None
    """Run a Python script in processes that Horovod connects."""
    py_torch: toolkits.PyTorch | None = None
    """Run a Python script with PyTorch's distributed package."""
    tensor_flow: toolkits.TensorFlow | None = None
    """Run a Python script as TensorFlow master, workers and parameter servers."""
    custom_mpi: toolkits.CustomMpi | None = None
    """Run a command line in every process of an MPI job."""
    custom: toolkits.Custom | None = None
    """Run a command line once, on the first node."""
    caffe: toolkits.Caffe | None = None
    """Run Caffe with a solver's config file, or a Python script that uses it."""
    caffe2: toolkits.Caffe2 | None = None
    """Run a Python script with Caffe2, once on each node."""
    chainer: toolkits.Chainer | None = None
    """Run a Python script with ChainerMN, under MPI."""
    cntk: toolkits.Cntk | None = None
    """Run Cognitive Toolkit with a BrainScript file or a Python script."""

    @property
    def toolkit(self) -> tuple[str, SpecModel]:
        """The name of its one toolkit, and what is written there."""
        return next((key, value) for key, value in self.given().items() if key in TOOLKITS)

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless there is one toolkit."""
        found = [key for key in keys if key in TOOLKITS]
        if not found:
            names = ", ".join(TOOLKITS)
            hint = f"write custom: {{command: python train.py}}, for example; there are {names}"
            yield model_error("BAI701", "the job has no toolkit: nothing says what it runs", hint)
        elif len(found) > 1:
            message = f"the job has {len(found)} toolkits: {' and '.join(found)}"
            yield model_error("BAI701", message, "keep one of them", (found[1],))


Jobs = dict[Name, Job]
"""Name -> job."""
