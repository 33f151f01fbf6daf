"""Jobs."""

from __future__ import annotations

from typing import Literal

from bai.compiler.resources import toolkits
from bai.compiler.resources.base import (
    ArmId,
    EnvironmentVariable,
    KeyVaultSecretReference,
    SecretText,
    SecretVariable,
    WireModel,
)
from bai.compiler.resources.mounts import MountVolumes


class InputDirectory(WireModel):
    """A path that the job finds in AZ_BATCHAI_INPUT_<id>."""

    id: str
    path: str


class OutputDirectory(WireModel):
    """A directory made for the job, found in AZ_BATCHAI_OUTPUT_<id>."""

    id: str
    path_prefix: str
    path_suffix: str | None = None


class RegistryCredentials(WireModel):
    """The account of a private image registry (PrivateRegistryCredentials)."""

    username: str
    password: SecretText | None = None
    password_secret_reference: KeyVaultSecretReference | None = None


class ImageSourceRegistry(WireModel):
    """Where the job's container image comes from."""

    image: str
    server_url: str | None = None
    credentials: RegistryCredentials | None = None


class ContainerSettings(WireModel):
    """The container that the job and its preparation run in."""

    image_source_registry: ImageSourceRegistry
    shm_size: str | None = None


class JobPreparation(WireModel):
    """A command line run on every node before the toolkit starts."""

    command_line: str


class JobConstraints(WireModel):
    """Limits of a job's run (JobBasePropertiesConstraints)."""

    max_wall_clock_time: str | None = None
    """An ISO 8601 duration. The service's default is P7D."""


class JobProperties(WireModel):
    """What a job is (JobBaseProperties). Exactly one of the *_settings is set."""

    scheduling_priority: Literal["low", "normal", "high"] | None = None
    cluster: ArmId | None = None
    mount_volumes: MountVolumes | None = None
    node_count: int
    container_settings: ContainerSettings | None = None
    cntk_settings: toolkits.CNTKSettings | None = None
    py_torch_settings: toolkits.PyTorchSettings | None = None
    tensor_flow_settings: toolkits.TensorFlowSettings | None = None
    caffe_settings: toolkits.CaffeSettings | None = None
    caffe2_settings: toolkits.Caffe2Settings | None = None
    chainer_settings: toolkits.ChainerSettings | None = None
    custom_toolkit_settings: toolkits.CustomToolkitSettings | None = None
    custom_mpi_settings: toolkits.CustomMpiSettings | None = None
    horovod_settings: toolkits.HorovodSettings | None = None
    job_preparation: JobPreparation | None = None
    std_out_err_path_prefix: str
    input_directories: list[InputDirectory] | None = None
    output_directories: list[OutputDirectory] | None = None
    environment_variables: list[EnvironmentVariable] | None = None
    secrets: list[SecretVariable] | None = None
    constraints: JobConstraints | None = None

    @property
    def toolkit(self) -> toolkits.Toolkit:
        """The settings of the one toolkit that launches this job.

        Raises:
            ValueError: not exactly one toolkit is set.
        """
        found = [value for _, value in self if isinstance(value, toolkits.Toolkit)]
        if len(found) != 1:
            raise ValueError(f"expected exactly one toolkit, found {len(found)}")
        return found[0]

    @property
    def process_count(self) -> int:
        """How many ranks the job has on all its nodes."""
        return toolkits.process_count(self.toolkit, self.node_count)


class Job(WireModel):
    """A job in its wire form (JobCreateParameters)."""

    properties: JobProperties
