"""Clusters and file servers: the machines."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bai.compiler.resources.base import (
    ArmId,
    EnvironmentVariable,
    KeyVaultSecretReference,
    SecretText,
    SecretVariable,
    WireModel,
)
from bai.compiler.resources.mounts import MountVolumes


class ManualScale(WireModel):
    """A fixed number of nodes (ManualScaleSettings)."""

    target_node_count: int
    node_deallocation_option: Literal["requeue", "terminate", "waitforjobcompletion"] | None = None


class AutoScale(WireModel):
    """A number of nodes that follows the queued and running jobs (AutoScaleSettings)."""

    minimum_node_count: int
    maximum_node_count: int
    initial_node_count: int | None = None


class ScaleSettings(WireModel):
    """How many nodes: exactly one of the two."""

    manual: ManualScale | None = None
    auto_scale: AutoScale | None = None

    @property
    def most_nodes(self) -> int:
        """The largest number of nodes that these settings allow."""
        if self.auto_scale:
            return self.auto_scale.maximum_node_count
        return self.manual.target_node_count if self.manual else 0


class ImageReference(WireModel):
    """The operating system image of a node."""

    publisher: str
    offer: str
    sku: str
    version: str | None = None
    virtual_machine_image_id: str | None = None


class VirtualMachineConfiguration(WireModel):
    """What the nodes boot from."""

    image_reference: ImageReference | None = None


class UserAccountSettings(WireModel):
    """The administrator account on each node."""

    admin_user_name: str
    admin_user_ssh_public_key: str | None = None
    admin_user_password: SecretText | None = None


class SetupTask(WireModel):
    """A command run on every node when it is allocated or rebooted."""

    command_line: str
    environment_variables: list[EnvironmentVariable] | None = None
    secrets: list[SecretVariable] | None = None
    std_out_err_path_prefix: str


class AppInsightsReference(WireModel):
    """The Application Insights component that performance counters go to."""

    component: ArmId
    instrumentation_key: SecretText | None = None
    instrumentation_key_secret_reference: KeyVaultSecretReference | None = None


class PerformanceCountersSettings(WireModel):
    """Reporting of the nodes' performance counters."""

    app_insights_reference: AppInsightsReference


class NodeSetup(WireModel):
    """What is done to every node before it takes jobs."""

    setup_task: SetupTask | None = None
    mount_volumes: MountVolumes | None = None
    performance_counters_settings: PerformanceCountersSettings | None = None


class ClusterProperties(WireModel):
    """What a cluster is (ClusterBaseProperties)."""

    vm_size: str
    vm_priority: Literal["dedicated", "lowpriority"] | None = None
    scale_settings: ScaleSettings
    virtual_machine_configuration: VirtualMachineConfiguration | None = None
    node_setup: NodeSetup | None = None
    user_account_settings: UserAccountSettings | None = None
    subnet: ArmId | None = None


class Cluster(WireModel):
    """A cluster in its wire form (ClusterCreateParameters)."""

    properties: ClusterProperties


class DataDisks(WireModel):
    """The disks of a file server."""

    disk_size_in_gb: int = Field(alias="diskSizeInGB")
    disk_count: int
    storage_account_type: Literal["Standard_LRS", "Premium_LRS"]
    caching_type: Literal["none", "readonly", "readwrite"] | None = None


class SshConfiguration(WireModel):
    """The administrator account of a file server."""

    public_ips_to_allow: list[str] | None = Field(None, alias="publicIPsToAllow")
    user_account_settings: UserAccountSettings


class FileServerProperties(WireModel):
    """What a file server is (FileServerBaseProperties)."""

    vm_size: str
    ssh_configuration: SshConfiguration
    data_disks: DataDisks
    subnet: ArmId | None = None


class FileServer(WireModel):
    """A file server in its wire form (FileServerCreateParameters)."""

    properties: FileServerProperties
