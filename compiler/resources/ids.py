"""Names of resources: ARM ids and the parts they are made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bai.specs.names import suggestion

NAME = re.compile(r"\w[-\w]{0,63}")
"""What Batch AI accepts as a workspace, cluster, file server, experiment or job name."""

STORAGE_ACCOUNT_PLACEHOLDER = "<AZURE_BATCHAI_STORAGE_ACCOUNT>"
"""What files for the old command line say in place of the account."""

RESOURCE_GROUP = re.compile(r"[-\w.]+")


class Kind(StrEnum):
    """The five kinds of resources, by their names in ARM ids."""

    WORKSPACE = "workspaces"
    FILE_SERVER = "fileServers"
    CLUSTER = "clusters"
    EXPERIMENT = "experiments"
    JOB = "jobs"

    @property
    def singular(self) -> str:
        """The kind as one says it of a single resource: `workspace`, `fileServer`, ..."""
        return self.value[:-1]

    @classmethod
    def named(cls, text: str, others: Iterable[str] = ()) -> Kind:
        """Return the kind of a name in singular, plural or short, in any case.

        Args:
            text: the name.
            others: further words that could stand in its place, for the message.

        Raises:
            ValueError: there is no such kind; the message names the nearest.
        """
        names = {"ws": cls.WORKSPACE, "exp": cls.EXPERIMENT, "fs": cls.FILE_SERVER}
        names |= {"cl": cls.CLUSTER}
        names |= {name.lower(): kind for kind in cls for name in (kind.value, kind.singular)}
        if (found := names.get(text.lower())) is None:
            hint = suggestion(text, [*(kind.value for kind in cls), *others])
            raise ValueError(f"there is no kind {text!r} ({hint})")
        return found


class ResourceId(NamedTuple):
    """The full name of a resource. `str()` gives the ARM id."""

    subscription: str
    resource_group: str
    workspace: str
    kind: Kind
    name: str
    experiment: str | None = None
    """The experiment of a job; None for every other kind."""

    def __str__(self) -> str:
        base = (
            f"/subscriptions/{self.subscription}/resourceGroups/{self.resource_group}"
            f"/providers/Microsoft.BatchAI/workspaces/{self.workspace}"
        )
        if self.kind is Kind.WORKSPACE:
            return base
        if self.kind is Kind.JOB:
            return f"{base}/experiments/{self.experiment}/jobs/{self.name}"
        return f"{base}/{self.kind}/{self.name}"

    @property
    def type(self) -> str:
        """The ARM type, as the live service reported it."""
        below = {Kind.WORKSPACE: "", Kind.JOB: "/experiments/jobs"}.get(self.kind, f"/{self.kind}")
        return f"Microsoft.BatchAI/workspaces{below}"

    @property
    def address(self) -> tuple[str, ...]:
        """The names that lead here, from the resource group's to its own."""
        if self.kind is Kind.WORKSPACE:
            return self.resource_group, self.name
        names = self.resource_group, self.workspace, self.experiment, self.name
        return tuple(name for name in names if name)

    @property
    def label(self) -> str:
        """The id as commands say it: `job/train`."""
        return f"{self.kind.singular}/{self.name}"

    def is_called(self, name: str) -> bool:
        """Return whether this has a name: NAME, EXPERIMENT/NAME and so on, in any case."""
        return f"/{'/'.join(self.address)}".lower().endswith(f"/{name}".lower())

    @property
    def parent(self) -> ResourceId | None:
        """The resource that this one is deleted with; None for a workspace."""
        if self.kind is Kind.WORKSPACE:
            return None
        if self.kind is Kind.JOB:
            assert self.experiment is not None
            return self.sibling(Kind.EXPERIMENT, self.experiment)
        return self.sibling(Kind.WORKSPACE, self.workspace)

    def is_below(self, id: ResourceId) -> bool:
        """Return whether this is `id` or goes with it; ids are the same in any case."""
        return f"{self}/".lower().startswith(f"{id}/".lower())

    def sibling(self, kind: Kind, name: str, experiment: str | None = None) -> ResourceId:
        """Return the id of another resource in the same workspace."""
        return ResourceId(
            self.subscription, self.resource_group, self.workspace, kind, name, experiment
        )

    @classmethod
    def parse(cls, text: str) -> ResourceId:
        """Read an ARM id of a Batch AI resource; its fixed words count in any case.

        Raises:
            ValueError: `text` is no such id.
        """
        return _parsed(text)


# Jobs name the same clusters and file servers again and again.
@lru_cache(1_024)
def _parsed(text: str) -> ResourceId:
    match = re.fullmatch(_ARM_ID, text, re.IGNORECASE)
    if not match:
        raise ValueError(f"not the ARM id of a Batch AI resource: {text}")
    sub, group, workspace, experiment, job, kind, name = match.groups()
    if job:
        return ResourceId(sub, group, workspace, Kind.JOB, job, experiment)
    if experiment:
        return ResourceId(sub, group, workspace, Kind.EXPERIMENT, experiment)
    if kind:
        return ResourceId(sub, group, workspace, Kind.named(kind), name)
    return ResourceId(sub, group, workspace, Kind.WORKSPACE, workspace)


_ARM_ID = (
    r"/subscriptions/([^/]+)/resourceGroups/([-\w.]+)/providers/Microsoft\.BatchAI"
    r"/workspaces/([-\w]+)"
    r"(?:/experiments/([-\w]+)(?:/jobs/([-\w]+))?|/(clusters|fileServers)/([-\w]+))?"
)
"""Few commands parse ids, so this is compiled when one does."""
