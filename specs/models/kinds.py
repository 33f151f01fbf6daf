"""The kinds of documents: experiments, and what they need in documents of their own."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final, Literal

from pydantic import ConfigDict

from bai.specs.models.base import OWN_KEYS, DocumentModel, Filled
from bai.specs.models.experiment import Experiment, ExperimentSpec
from bai.specs.models.machines import Cluster, FileServer
from bai.specs.models.metadata import MachineMetadata, WorkspaceMetadata
from bai.specs.models.secret_forms import SecretSource
from bai.specs.models.shape import fields, shape
from bai.specs.names import nearest


class ClusterSpec(Cluster):
    """Equal machines that jobs run on, and the storage account of their mounts."""

    model_config = ConfigDict(json_schema_extra=OWN_KEYS)

    storage_account: Filled | None = None
    """Name of the storage account of mounts that name none; by default the context's."""
    storage_key: SecretSource | None = None
    """Where the key of `storageAccount` lives; by default in the environment's
    AZURE_BATCHAI_STORAGE_KEY.
    """


class ClusterDocument(DocumentModel):
    """A cluster in a document of its own."""

    kind: Literal["Cluster"]
    metadata: MachineMetadata
    """What the cluster is called, and the workspace that holds it: `{name: pair}`."""
    spec: ClusterSpec
    """The cluster, with the keys that it has below `clusters` of an experiment."""


class FileServerSpec(FileServer):
    """An NFS server with its own disks."""

    model_config = ConfigDict(json_schema_extra=OWN_KEYS)


class FileServerDocument(DocumentModel):
    """A file server in a document of its own."""

    kind: Literal["FileServer"]
    metadata: MachineMetadata
    """What the file server is called, and the workspace that holds it: `{name: nfs}`."""
    spec: FileServerSpec
    """The file server, with the keys that it has below `fileServers` of an experiment."""


class WorkspaceDocument(DocumentModel):
    """A workspace, which holds clusters, file servers and experiments; all is in its metadata."""

    kind: Literal["Workspace"]
    metadata: WorkspaceMetadata
    """What the workspace is called, where it lives, and its tags: `{name: vision}`."""


AnySpec = Experiment | ClusterDocument | FileServerDocument | WorkspaceDocument
"""A document of the language."""

EXPERIMENT: Final = "Experiment"
KINDS: Final[Mapping[str, type[AnySpec]]] = {
    EXPERIMENT: Experiment,
    "Cluster": ClusterDocument,
    "FileServer": FileServerDocument,
    "Workspace": WorkspaceDocument,
}
"""What stands behind `kind` -> the model of such a document."""


def contents(model: AnySpec) -> ExperimentSpec:
    """Return what a document declares in the form that an experiment has for it."""
    match model:
        case Experiment():
            return model.spec
        case ClusterDocument(metadata=metadata, spec=spec):
            return ExperimentSpec.model_construct(
                clusters={metadata.name: spec},
                storage_account=spec.storage_account,
                storage_key=spec.storage_key,
            )
        case FileServerDocument(metadata=metadata, spec=server):
            return ExperimentSpec.model_construct(file_servers={metadata.name: server})
    return ExperimentSpec.model_construct()


def root_of(data: Any) -> type[AnySpec]:
    """Return the model of the kind that a document's data is meant to be."""
    return KINDS[meant_kind(data)]


def meant_kind(data: Any) -> str:
    """Return the kind that a document's data is meant to be.

    It is the one that stands there, also if it is misspelt, unless the keys of its spec are those
    of another kind.
    """
    given = data.get("kind") if isinstance(data, dict) else None
    named = nearest(given, KINDS) if isinstance(given, str) else None
    spec = data.get("spec") if isinstance(data, dict) else None
    if not isinstance(spec, dict) or not spec:
        return named or EXPERIMENT
    known = {kind: len(spec.keys() & spec_keys(kind)) for kind in KINDS}
    likely = max(known, key=lambda kind: known[kind])
    is_surely = known[likely] * 2 > len(spec)
    if named is None:
        return likely if is_surely else EXPERIMENT
    return likely if is_surely and known[named] * 2 <= len(spec) else named


@cache
def spec_keys(kind: str) -> Collection[str]:
    """Return the keys that the `spec` of a kind has."""
    field = fields(KINDS[kind]).get("spec")
    model = shape(field.annotation).model if field else None
    return fields(model).keys() if model else frozenset()
