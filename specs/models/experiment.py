"""The whole document: `kind: Experiment`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bai.specs.models.base import Filled, Name, SpecModel
from bai.specs.models.job import Jobs
from bai.specs.models.machines import Clusters, FileServers
from bai.specs.models.scalars import Text
from bai.specs.models.secret_forms import SecretSource


class Metadata(SpecModel):
    """Names of the experiment and of what holds it."""

    name: Name
    """Name of the experiment, `digits` for example: it groups the jobs of one subject."""
    workspace: Name | None = None
    """Name of the workspace that holds the experiment; by default the context's."""
    resource_group: Filled | None = None
    """Name of the Azure resource group that holds the workspace; by default the context's."""
    subscription: Filled | None = None
    """Id of the Azure subscription, a UUID; by default the context's."""
    location: Filled | None = None
    """Azure region of the workspace, `eastus` for example; by default the context's."""
    tags: dict[Text, Text] = Field(default_factory=dict)
    """Tags of the workspace, name -> text: `{team: vision}`."""


class ExperimentSpec(SpecModel):
    """What to run, and on what."""

    storage_account: Filled | None = None
    """Name of the storage account of mounts that name none; by default the context's."""
    storage_key: SecretSource | None = None
    """Where the key of `storageAccount` lives; by default in the environment's
    AZURE_BATCHAI_STORAGE_KEY.
    """
    file_servers: FileServers = Field(default_factory=dict)
    """Name -> NFS server with disks of its own, which clusters and jobs can mount."""
    clusters: Clusters = Field(default_factory=dict)
    """Name -> cluster, the machines that jobs run on."""
    jobs: Jobs = Field(default_factory=dict)
    """Name -> job, a program with the nodes that it runs on."""


class Experiment(SpecModel):
    """An experiment: jobs and the machines they run on."""

    api_version: Literal["bai/v1"]
    """Version of the language that the file is written in: `bai/v1`."""
    kind: Literal["Experiment"]
    """What the file describes: always `Experiment`."""
    metadata: Metadata
    """What the experiment is called, and the workspace that holds it: `{name: digits}`."""
    spec: ExperimentSpec
    """Jobs, and the clusters and file servers that they need."""
