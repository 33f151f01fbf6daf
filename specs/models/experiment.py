"""`kind: Experiment`: jobs, with the clusters and file servers that they need."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from bai.specs.models.base import OWN_KEYS, DocumentModel, Filled, SpecModel
from bai.specs.models.job import Jobs
from bai.specs.models.machines import Clusters, FileServers
from bai.specs.models.metadata import ExperimentMetadata
from bai.specs.models.parameters import Parameters
from bai.specs.models.secret_forms import SecretSource


class ExperimentSpec(SpecModel):
    """What to run, and on what."""

    model_config = ConfigDict(json_schema_extra=OWN_KEYS)

    parameters: Parameters = Field(default_factory=dict)
    """Name -> default of a value that stands where the spec says `${parameters.NAME}`, and that
    `-p NAME=VALUE` changes: `{lr: 0.1}`.
    """
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


class Experiment(DocumentModel):
    """An experiment: jobs and the machines they run on."""

    kind: Literal["Experiment"]
    metadata: ExperimentMetadata
    """What the experiment is called, and the workspace that holds it: `{name: digits}`."""
    spec: ExperimentSpec
    """Jobs, and the clusters and file servers that they need."""
