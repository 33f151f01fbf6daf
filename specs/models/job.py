"""Jobs, as a person writes them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from bai.specs.complaints import complaint
from bai.specs.durations import parse_time_limit
from bai.specs.models import toolkits
from bai.specs.models.base import Count, Filled, Name, SpecModel, VariableName
from bai.specs.models.mounts import Mounts
from bai.specs.models.secret_forms import SecretSource
from bai.specs.models.short_forms import short_form
from bai.specs.scalars import SCALAR_SCHEMA, Text

TOOLKITS = (
    "horovod",
    "py_torch",
    "tensor_flow",
    "custom_mpi",
    "custom",
    "caffe",
    "caffe2",
    "chainer",
    "cntk",
)
"""The fields of `Job` that hold a toolkit."""


class RegistryCredentials(SpecModel):
    """Account of a private image registry."""

    username: Filled
    """User name."""
    password: SecretSource
    """Where the password lives."""


class Container(SpecModel):
    """Container image: a bare name, or in full."""

    image: Filled
    """Name of the image; fully qualified for a private registry."""
    server: Filled | None = None
    """URL of the image registry."""
    credentials: RegistryCredentials | None = None
    """Account of a private image registry."""
    shm_size: Filled | None = None
    """Size of /dev/shm, `8g` for one."""


class Output(SpecModel):
    """Place of an output: a bare path prefix, or in full."""

    path: Filled
    """Path prefix; the directory is PATH/<job's own segment>/outputs/SUFFIX."""
    suffix: Filled | None = None
    """Last part of the directory's path."""


def _time_limit(text: str) -> str:
    try:
        parse_time_limit(text)
    except ValueError as error:
        hint = "write it like 90m, 12h, 2d or PT12H"
        raise complaint("BAI306", str(error), hint) from None
    return text


def _output_ids(outputs: dict[str, Output]) -> dict[str, Output]:
    for name in outputs:
        if name.lower() == "stdouterr":
            message = f"the output id {name!r} is the service's own, for the logs"
            raise complaint("BAI302", message, "choose another id", (name,))
    return outputs


Outputs = Annotated[
    dict[VariableName, Annotated[Output, short_form("path", SCALAR_SCHEMA)]],
    AfterValidator(_output_ids),
]
"""ID -> output."""


class Job(SpecModel):
    """One run of a program on the nodes of a cluster: exactly one toolkit."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [to_camel(name)]} for name in TOOLKITS]}
    )

    cluster: Filled | None = None
    """Name of a cluster, or its ARM id; by default the spec's only cluster."""
    node_count: Count
    """Number of nodes, all of which must be free before the job starts."""
    priority: Literal["low", "normal", "high"] | None = None
    """Place among queued jobs; the service's default is normal."""
    container: Annotated[Container, short_form("image", SCALAR_SCHEMA)] | None = None
    """What the job and its preparation run in; without one they run directly on the nodes."""
    mounts: Mounts = Field(default_factory=dict)
    """Mount path below $AZ_BATCHAI_JOB_MOUNT_ROOT -> volume."""
    preparation: Filled | None = None
    """Command line run on every node before the toolkit starts."""
    inputs: dict[VariableName, Filled] = Field(default_factory=dict)
    """ID -> path, which the job finds in $AZ_BATCHAI_INPUT_ID."""
    outputs: Outputs = Field(default_factory=dict)
    """ID -> directory made for the job, found in $AZ_BATCHAI_OUTPUT_ID."""
    environment: dict[VariableName, Text] = Field(default_factory=dict)
    """Environment variables of the job and its preparation."""
    secrets: dict[VariableName, SecretSource] = Field(default_factory=dict)
    """Environment variables with secret values."""
    logs: Filled
    """Path prefix of the job's logs, on one of its mounts (stdOutErrPathPrefix)."""
    time_limit: Annotated[Text, AfterValidator(_time_limit)] | None = None
    """Longest run: `90m`, `12h`, `2d`, or ISO 8601 as PT12H; the service's default is 7 days."""

    horovod: toolkits.Horovod | None = None
    """Run a Python script under Horovod."""
    py_torch: toolkits.PyTorch | None = None
    """Run a Python script with PyTorch's distributed package."""
    tensor_flow: toolkits.TensorFlow | None = None
    """Run a Python script as TensorFlow master, workers and parameter servers."""
    custom_mpi: toolkits.CustomMpi | None = None
    """Run a command line under MPI."""
    custom: toolkits.Custom | None = None
    """Run a command line on the first node."""
    caffe: toolkits.Caffe | None = None
    """Run Caffe."""
    caffe2: toolkits.Caffe2 | None = None
    """Run a Python script with Caffe2."""
    chainer: toolkits.Chainer | None = None
    """Run a Python script with Chainer."""
    cntk: toolkits.Cntk | None = None
    """Run Cognitive Toolkit."""

    @classmethod
    def key_complaints(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield a complaint unless there is one toolkit."""
        toolkits = [cls.model_fields[name].alias or name for name in TOOLKITS]
        found = [key for key in keys if key in toolkits]
        if not found:
            names = ", ".join(toolkits)
            yield complaint("BAI701", "the job has no toolkit", f"write one of {names}")
        elif len(found) > 1:
            message = f"the job has {len(found)} toolkits: {' and '.join(found)}"
            yield complaint("BAI701", message, "keep one of them", (found[1],))


Jobs = dict[Name, Job]
"""Name -> job."""
