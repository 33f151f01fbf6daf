"""Jobs."""

from __future__ import annotations

from typing import Literal

from bai.compiler.resources.base import (
    ArmId,
    EnvironmentVariable,
    KeyVaultSecretReference,
    SecretText,
    SecretVariable,
    WireModel,
)
from bai.compiler.resources.mounts import MountVolumes
from bai.compiler.resources.toolkits import (
    TOOLKITS,
    Caffe2Settings,
    CaffeSettings,
    ChainerSettings,
    CNTKSettings,
    CustomMpiSettings,
    CustomToolkitSettings,
    HorovodSettings,
    PyTorchSettings,
    TensorFlowSettings,
    Toolkit,
)


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
    cntk_settings: CNTKSettings | None = None
    py_torch_settings: PyTorchSettings | None = None
    tensor_flow_settings: TensorFlowSettings | None = None
    caffe_settings: CaffeSettings | None = None
    caffe2_settings: Caffe2Settings | None = None
    chainer_settings: ChainerSettings | None = None
    custom_toolkit_settings: CustomToolkitSettings | None = None
    custom_mpi_settings: CustomMpiSettings | None = None
    horovod_settings: HorovodSettings | None = None
    job_preparation: JobPreparation | None = None
    std_out_err_path_prefix: str
    input_directories: list[InputDirectory] | None = None
    output_directories: list[OutputDirectory] | None = None
    environment_variables: list[EnvironmentVariable] | None = None
    secrets: list[SecretVariable] | None = None
    constraints: JobConstraints | None = None

    @property
    def toolkit(self) -> Toolkit:
        """The settings of the one toolkit that launches this job.

        Raises:
            ValueError: not exactly one toolkit is set.
        """
        found = [value for name in TOOLKITS if (value := getattr(self, name)) is not None]
        if len(found) != 1:
            raise ValueError(f"expected exactly one toolkit, found {len(found)}")
        toolkit: Toolkit = found[0]
        return toolkit


class Job(WireModel):
    """A job in its wire form (JobCreateParameters)."""

    properties: JobProperties
