"""Where the files of a node's setup task are: the directories that Batch AI promises."""

from __future__ import annotations

from pathlib import Path

from bai.compiler.resources.ids import ResourceId
from bai.runtime.jobs.paths import cluster_volumes, expand, locate
from bai.runtime.jobs.setup_spec import SetupSpec
from bai.runtime.mounts.volumes import Volume


def nodes_folder(state: Path) -> Path:
    """Return the folder of a state folder with a folder for each node that is being prepared."""
    return state / "nodes"


def setup_segment(cluster: ResourceId, uuid: str) -> str:
    """Return the part of the path of setup task logs that is a cluster's own."""
    return (
        f"{cluster.subscription}/{cluster.resource_group}/workspaces/{cluster.workspace}"
        f"/clusters/{cluster.name}/{uuid}"
    )


class SetupPaths:
    """The paths of the setup task of one node."""

    def __init__(self, spec: SetupSpec) -> None:
        """Take the folders that a spec names."""
        self._spec = spec
        self.folder = Path(spec.folder)
        self.temp = self.folder / "temp"
        """Where the task runs."""
        self.mount_root = self.folder / "mounts"
        self.log_order = self.folder / "log-order.txt"

    def volumes(self) -> list[Volume]:
        """Return the volumes below the mount root.

        Raises:
            LaunchError, StorageError: one can't be mounted.
        """
        spec = self._spec
        return cluster_volumes(spec.wire, spec.storage_accounts, spec.all_file_servers)

    @property
    def variables(self) -> dict[str, str]:
        """The variables that stand for directories."""
        return {"AZ_BATCHAI_MOUNT_ROOT": str(self.mount_root)}

    @property
    def logs(self) -> Path:
        """The folder of the logs of all nodes of the cluster."""
        text = expand(self._spec.task["stdOutErrPathPrefix"], self.variables)
        path, _ = locate(Path(text), [(self.mount_root, self.volumes)])
        return path / setup_segment(self._spec.cluster, self._spec.cluster_uuid)

    def log(self, stream: str) -> Path:
        """Return the log of `stdout` or `stderr`."""
        return self.logs / f"{stream}-node-{self._spec.node}.txt"
