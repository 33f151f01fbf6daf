"""State that all passes of one compilation share."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final

from bai.compiler.compilation import Defaults
from bai.compiler.resources.code import CodeFolders
from bai.compiler.resources.ids import Kind, ResourceId
from bai.specs.codes import make_finding
from bai.specs.document import Document
from bai.specs.findings import Finding, Fix, Path, Severity, Span
from bai.specs.load import LoadedSpec
from bai.specs.models.experiment import Experiment, ExperimentSpec
from bai.specs.models.kinds import AnySpec, WorkspaceDocument, contents
from bai.specs.models.machines import Cluster
from bai.specs.models.metadata import MachineMetadata

UNSET: Final = "unset"
"""Stands for a name that is missing or malformed, so that the passes can go on."""


@dataclass(frozen=True, slots=True)
class Names:
    """Where the resources of one spec live."""

    subscription: str = UNSET
    resource_group: str = UNSET
    workspace: str = UNSET
    experiment: str = UNSET
    location: str = UNSET
    location_written: bool = True
    """Whether the location stands in the spec, not in the context."""

    def id(self, kind: Kind, name: str) -> ResourceId:
        """Return the id of a resource of this experiment or workspace."""
        experiment = self.experiment if kind is Kind.JOB else None
        return ResourceId(
            self.subscription, self.resource_group, self.workspace, kind, name, experiment
        )


@dataclass(frozen=True, slots=True)
class WrittenWorkspace:
    """What specs write about a workspace. What one leaves out, it has from the others."""

    location: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    is_document: bool = False
    """Whether there is a document of its own, so that tags that are not there are none."""

    @classmethod
    def of(cls, model: AnySpec) -> WrittenWorkspace:
        """Return what a spec writes."""
        metadata = model.metadata
        tags = {} if isinstance(metadata, MachineMetadata) else metadata.tags
        return cls(metadata.location, tags, isinstance(model, WorkspaceDocument))

    def with_other(self, other: WrittenWorkspace) -> WrittenWorkspace:
        """Return this with what another one adds to it."""
        return WrittenWorkspace(
            self.location or other.location,
            self.tags or other.tags,
            self.is_document or other.is_document,
        )


@dataclass(frozen=True, slots=True)
class Declared:
    """The clusters and file servers of specs that may name them, their own ones included."""

    clusters: dict[ResourceId, Cluster] = field(default_factory=dict)
    """By their ids; of several with one id, the first."""
    measured: dict[ResourceId, Cluster] = field(default_factory=dict)
    """Those that are made for jobs which have none, by their ids."""
    _names: dict[ResourceId, dict[str, None]] = field(default_factory=dict)
    """The names of each kind, by the id that a resource without a name would have."""
    _workspaces: dict[ResourceId, WrittenWorkspace] = field(default_factory=dict)
    _places: dict[ResourceId, tuple[Document, Path]] = field(default_factory=dict)
    """Where the clusters stand."""

    def add(self, names: Names, loaded: LoadedSpec) -> None:
        """Add what a spec declares."""
        spec = contents(loaded.model)
        for name, cluster in spec.clusters.items():
            id = names.id(Kind.CLUSTER, name)
            self.clusters.setdefault(id, cluster)
            self._places.setdefault(id, (loaded.document, place_of(loaded, "clusters", name)))
        for kind, found in (Kind.CLUSTER, spec.clusters), (Kind.FILE_SERVER, spec.file_servers):
            self._names.setdefault(names.id(kind, ""), {}).update(dict.fromkeys(found))
        workspace = names.id(Kind.WORKSPACE, names.workspace)
        written = WrittenWorkspace.of(loaded.model)
        if known := self._workspaces.get(workspace):
            written = known.with_other(written)
        self._workspaces[workspace] = written

    def mount_span(self, cluster: ResourceId, name: str) -> Span | None:
        """Return where a mount of a cluster is declared; None if the cluster is not."""
        if cluster not in self._places:
            return None
        document, at = self._places[cluster]
        return document.key_span((*at, "mounts", name))

    def workspace(self, names: Names) -> WrittenWorkspace:
        """Return what all specs write about the workspace of one of them."""
        return self._workspaces.get(names.id(Kind.WORKSPACE, names.workspace), WrittenWorkspace())

    def names(self, names: Names, kind: Kind) -> Collection[str]:
        """Return the names of a kind in the workspace of a spec with these names."""
        return self._names.get(names.id(kind, ""), {}).keys()


@dataclass(frozen=True, slots=True)
class Scope:
    """The spec, what it leaves to the context, and the findings so far."""

    loaded: LoadedSpec
    defaults: Defaults
    findings: list[Finding] = field(default_factory=list)
    declared: Declared = field(default_factory=Declared)
    """What this spec and those that are compiled with it declare."""
    code_folders: CodeFolders | None = None
    """What is known of folders of code; None where nothing is."""
    names: Names = field(default_factory=Names)
    """Where its resources live; nowhere before `resolve_names`."""

    @property
    def spec(self) -> ExperimentSpec:
        """What the spec declares, whatever its kind, in the form of an experiment's `spec`."""
        return contents(self.loaded.model)

    @property
    def document(self) -> Document:
        """The document that the spec was read from."""
        return self.loaded.document

    def place(self, section: str, name: str) -> Path:
        """Return where a cluster, file server or job of the spec stands in its document."""
        return place_of(self.loaded, section, name)

    def name_span(self, at: Path) -> Span:
        """Return where the name of what stands at a place is written."""
        return self.document.key_span(at) if at != ("spec",) else self.span(("metadata", "name"))

    def absolute(self, path: str) -> str:
        """Return a path of the spec, which starts from the folder of its file, in full."""
        # `join` keeps an absolute path as it is.
        return os.path.normpath(os.path.join(self.loaded.directory, path))  # noqa: PTH118

    def span(self, path: Path) -> Span:
        """Return where the value at `path` stands."""
        return self.document.span(path)

    def report(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        fix: Fix | None = None,
        *,
        severity: Severity | None = None,
    ) -> None:
        """Add a finding, with the code's own severity unless another one is given.

        What depends on a parameter that has no value yet can't be judged, and is left out.
        """
        if self.document.is_sure(span):
            finding = make_finding(code, message, span, hint, fix, severity=severity)
            self.findings.append(self.document.explained(finding))


def place_of(loaded: LoadedSpec, section: str, name: str) -> Path:
    """Return where a cluster, file server or job of a spec stands in its document."""
    is_part = isinstance(loaded.model, Experiment)
    return ("spec", section, name) if is_part else ("spec",)
