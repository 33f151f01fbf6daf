"""Metadata: what a document describes is called, and what holds it."""

from __future__ import annotations

from pydantic import Field

from bai.specs.models.base import Filled, Name, SpecModel
from bai.specs.models.scalars import Text


class ResourceMetadata(SpecModel):
    """Names of a resource and of the workspace that holds it."""

    name: Name
    """Name of the resource."""
    workspace: Name | None = None
    """Name of the workspace that holds it; by default the context's."""
    resource_group: Filled | None = None
    """Name of the Azure resource group that holds the workspace; by default the context's."""
    subscription: Filled | None = None
    """Id of the Azure subscription, a UUID; by default the context's."""
    location: Filled | None = None
    """Azure region of the workspace, `eastus` for example; by default the context's."""


class ExperimentMetadata(ResourceMetadata):
    """Names of the experiment and of what holds it."""

    name: Name
    """Name of the experiment, `digits` for example: it groups the jobs of one subject."""
    tags: dict[Text, Text] = Field(default_factory=dict)
    """Tags of the workspace, name -> text: `{team: vision}`."""


class MachineMetadata(ResourceMetadata):
    """Names of the cluster or file server and of what holds it."""

    name: Name
    """Name of the cluster or file server, which jobs and mounts refer to."""


class WorkspaceMetadata(SpecModel):
    """Names of the workspace and of what holds it, and its tags."""

    name: Name
    """Name of the workspace, `vision` for example: it holds clusters, file servers and experiments.
    """
    resource_group: Filled | None = None
    """Name of the Azure resource group that holds the workspace; by default the context's."""
    subscription: Filled | None = None
    """Id of the Azure subscription, a UUID; by default the context's."""
    location: Filled | None = None
    """Azure region of the workspace, `eastus` for example; by default the context's."""
    tags: dict[Text, Text] = Field(default_factory=dict)
    """Tags of the workspace, name -> text: `{team: vision}`."""
