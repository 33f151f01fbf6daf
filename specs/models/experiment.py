"""The whole document: `kind: Experiment`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from bai.specs.models.base import Filled, Name, SpecModel
from bai.specs.models.job import Jobs
from bai.specs.models.machines import Clusters, FileServers
from bai.specs.models.secret_forms import SecretSource
from bai.specs.scalars import Text


class Metadata(SpecModel):
    """Names of the experiment and of what holds it."""

    name: Name
    """Name of the experiment."""
    workspace: Name | None = None
    """Name of the workspace; by default the context's."""
    resource_group: Filled | None = None
    """Name of the resource group; by default the context's."""
    subscription: Filled | None = None
    """Id of the subscription; by default the context's."""
    location: Filled | None = None
    """Region of the workspace; by default the context's."""
    tags: dict[Text, Text] = Field(default_factory=dict)
    """Tags of the workspace."""


class ExperimentSpec(SpecModel):
    """What to run, and on what."""

    storage_account: Filled | None = None
    """Storage account of mounts that name none; by default the context's."""
    storage_key: SecretSource | None = None
    """Key of `storageAccount`; by default the environment's AZURE_BATCHAI_STORAGE_KEY."""
    file_servers: FileServers = Field(default_factory=dict)
    """Name -> file server."""
    clusters: Clusters = Field(default_factory=dict)
    """Name -> cluster."""
    jobs: Jobs = Field(default_factory=dict)
    """Name -> job."""


class Experiment(SpecModel):
    """An experiment: jobs and the machines they run on."""

    api_version: Literal["bai/v1"]
    """Version of the language."""
    kind: Literal["Experiment"]
    """Kind of the document."""
    metadata: Metadata
    """Names of the experiment and of what holds it."""
    spec: ExperimentSpec
    """Jobs, clusters and file servers."""
