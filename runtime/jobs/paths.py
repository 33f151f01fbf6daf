"""Where an attempt's files are: the directories that Batch AI promises, on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePosixPath
from string import Template
from typing import Any, Final

from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.reserved import CODE_VARIABLE, variable_of
from bai.runtime.accounts import Accounts
from bai.runtime.file_server_settings import FileServers
from bai.runtime.jobs.files import KEPT_FILES, LOG_ORDER, METRICS, USAGE
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.mounts.user_folders import written_paths
from bai.runtime.mounts.volumes import Volume, volumes
from bai.specs.errors import RuntimeFailure

Wire = Mapping[str, Any]

SCRIPTS: Final = "scripts"
"""The folder of an attempt's folder with scripts of bai's that start processes."""


def attempt_folder(state: Path, uuid: str) -> Path:
    """Return the folder of an attempt in a state folder."""
    return state / "jobs" / uuid


def path_segment(job: ResourceId, uuid: str) -> str:
    """Return the part of every output path that is an attempt's own."""
    return (
        f"{job.subscription}/{job.resource_group}/workspaces/{job.workspace}"
        f"/experiments/{job.experiment}/jobs/{job.name}/{uuid}"
    )


def expand(text: str, variables: Mapping[str, str]) -> str:
    """Return `text` with `$NAME` and `${NAME}` replaced, and `$$` by `$`; unknown names stay."""
    return Template(text).safe_substitute(variables)


def names_in(text: str) -> set[str]:
    """Return the names that `expand` replaces in a text."""
    return set(Template(text).get_identifiers())


def cluster_volumes(
    cluster: Wire | None, storage: Accounts, file_servers: FileServers
) -> list[Volume]:
    """Return the volumes below the mount root of a cluster, given in wire form if it exists.

    Raises:
        LaunchError, StorageError: one can't be mounted.
    """
    setup = cluster["properties"].get("nodeSetup", {}) if cluster else {}
    return volumes(setup.get("mountVolumes", {}), storage, file_servers)


def locate(
    path: Path, roots: Iterable[tuple[Path, Callable[[], Iterable[Volume]]]]
) -> tuple[Path, Volume | None]:
    """Return the real path behind a path, whether mounts stand or not, and the mount it is in.

    Args:
        path: the path, without variables.
        roots: each mount root, and what returns the volumes below it.
    """
    for root, found in roots:
        if path.is_relative_to(root):
            for volume in found():
                if path.is_relative_to(root / volume.path):
                    if volume.folder is None:
                        return path, volume
                    return volume.folder / path.relative_to(root / volume.path), volume
    return path, None


class AttemptPaths:
    """The paths of one attempt."""

    def __init__(
        self,
        folder: Path,
        storage: Accounts,
        file_servers: FileServers,
        job: ResourceId,
        uuid: str,
        wire: Wire,
        cluster: Wire | None,
    ) -> None:
        """Collect what the paths of an attempt depend on.

        Args:
            folder: the attempt's folder.
            storage: the storage accounts.
            file_servers: the file servers.
            job: the job's id.
            uuid: the attempt's.
            wire: the job's wire form.
            cluster: its cluster's wire form, if it still exists.
        """
        self.job = job
        self.uuid = uuid
        self.properties: Wire = wire["properties"]
        self._storage = storage
        self._file_servers = file_servers
        self._cluster = cluster
        self.segment = path_segment(job, uuid)
        self.folder = folder
        self.kept_files = self.folder / KEPT_FILES
        self.metrics = self.folder / METRICS
        self.usage = self.folder / USAGE
        self.log_order = self.folder / LOG_ORDER
        """Not beside the logs: their folder holds what Batch AI promises, and no more."""
        self.mount_root = self.folder / "mounts" / "cluster"
        self.job_mount_root = self.folder / "mounts" / "job"
        self.shared_temp = self.folder / "shared"
        self.host_file = self.folder / "hostfile"
        self.scripts = self.folder / SCRIPTS

    @classmethod
    def of_run(cls, spec: RunSpec) -> AttemptPaths:
        """Return the paths of a run's attempt."""
        return cls(
            Path(spec.folder),
            spec.storage_accounts,
            spec.all_file_servers,
            spec.job,
            spec.uuid,
            spec.wire,
            spec.cluster,
        )

    @classmethod
    def in_state(
        cls,
        state: Path,
        storage: Accounts,
        file_servers: FileServers,
        job: ResourceId,
        uuid: str,
        wire: Wire,
        cluster: Wire | None,
    ) -> AttemptPaths:
        """Return the paths of an attempt below a state folder, which need not be there yet.

        Args:
            state: the state folder.
            storage: the storage accounts.
            file_servers: the file servers.
            job: the job's id.
            uuid: the attempt's.
            wire: the job's wire form.
            cluster: its cluster's wire form, if it still exists.
        """
        return cls(
            attempt_folder(state, uuid),
            storage,
            file_servers,
            job,
            uuid,
            wire,
            cluster,
        )

    @property
    def own_folders(self) -> tuple[Path, Path]:
        """The folders that bai itself and jobs write to: the state, and the storage accounts."""
        return self.folder.parent.parent, self._storage.root

    def temp_root(self, node: int) -> Path:
        """Return AZ_BATCHAI_JOB_TEMP_DIR of a node."""
        return self.nodes_folder / str(node) / "jobs"

    @property
    def nodes_folder(self) -> Path:
        """The folder with the directories of all nodes."""
        return self.folder / "nodes"

    def temp(self, node: int) -> Path:
        """Return AZ_BATCHAI_JOB_TEMP of a node: where processes start in jobs without code."""
        return self.temp_root(node) / self.job.name

    @property
    def code(self) -> str | None:
        """The job's snapshot of its code, as nodes see it; None if it has none."""
        path = variable_of(self.properties, CODE_VARIABLE)
        return None if path is None else expand(path, self.variables())

    def directory(self, node: int) -> str:
        """Return where the job's processes start on a node."""
        return self.code or str(self.temp(node))

    def cluster_volumes(self) -> list[Volume]:
        """Return the volumes below the mount root."""
        return cluster_volumes(self._cluster, self._storage, self._file_servers)

    def job_volumes(self) -> list[Volume]:
        """Return the volumes below the job's mount root."""
        return volumes(self.properties.get("mountVolumes", {}), self._storage, self._file_servers)

    def variables(self, node: int = 0) -> dict[str, str]:
        """Return the variables that stand for directories, on one node."""
        return {
            "AZ_BATCHAI_MOUNT_ROOT": str(self.mount_root),
            "AZ_BATCHAI_JOB_MOUNT_ROOT": str(self.job_mount_root),
            "AZ_BATCHAI_JOB_TEMP": str(self.temp(node)),
            "AZ_BATCHAI_JOB_TEMP_DIR": str(self.temp_root(node)),
            "AZ_BATCHAI_SHARED_JOB_TEMP": str(self.shared_temp),
        }

    def host_path(self, text: str) -> Path:
        """Return the real path behind a path of the job, whether its mounts stand or not."""
        return self.locate(text)[0]

    def locate(self, text: str) -> tuple[Path, Volume | None]:
        """Return the real path behind a path of the job, and the mount that it is in."""
        roots = (self.mount_root, self.cluster_volumes), (self.job_mount_root, self.job_volumes)
        return locate(Path(expand(text, self.variables())), roots)

    def uses(self, folder: Path) -> bool:
        """Return whether the attempt would lose anything with a folder of a storage account.

        It would with a mount, and with what is in one, which its commands may read; but not with
        what other attempts wrote there.

        Raises:
            LaunchError, StorageError: a mount of the attempt can't be resolved.
        """
        goal = folder.resolve()
        code = self.host_path(self.code).resolve() if self.code else None
        for volume in [*self.cluster_volumes(), *self.job_volumes()]:
            if volume.folder is None:
                continue
            mounted = volume.folder.resolve()
            if mounted.is_relative_to(goal):
                return True
            if code and code.parent == mounted:
                # Of the snapshots there, the job has one.
                if goal.is_relative_to(code):
                    return True
                continue
            # A directory of the user's may be around all storage accounts, as `file:.` mostly is.
            if volume.address and goal.is_relative_to(mounted) and not self._is_of_others(goal):
                return True
        return False

    def _is_of_others(self, folder: Path) -> bool:
        """Return whether a real folder holds what other attempts wrote, and they alone."""
        for place in {self.host_path(path).resolve() for path in written_paths(self.properties)}:
            if folder.is_relative_to(place / self.job.subscription):
                own = place / self.segment
                return not (own.is_relative_to(folder) or folder.is_relative_to(own))
        return False

    @property
    def secrets(self) -> tuple[str, ...]:
        """Names of the job's secret variables."""
        return tuple(entry["name"] for entry in self.properties.get("secrets") or ())

    @property
    def stdouterr(self) -> Path:
        """The folder of the logs."""
        return self.host_path(self.properties["stdOutErrPathPrefix"]) / self.segment / "stdouterr"

    @property
    def outputs(self) -> dict[str, Path]:
        """Id -> folder of each output directory."""
        return {
            output["id"]: self.host_path(output["pathPrefix"])
            / self.segment
            / "outputs"
            / output.get("pathSuffix", "").strip("/")
            for output in self.properties.get("outputDirectories") or ()
        }

    def not_here(self, path: Path) -> tuple[Volume, PurePosixPath] | None:
        """Return the mount that a path is in, and where in it, if it is no folder here."""
        try:
            _, volume = self.locate(str(path))
        except RuntimeFailure:
            return None
        if volume is None or volume.folder is not None:
            return None
        root = self.job_mount_root if volume in self.job_volumes() else self.mount_root
        return volume, PurePosixPath(path.relative_to(root / volume.path))
