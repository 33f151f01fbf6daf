"""What the process of a setup task is told: one document for each run, in the node's folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from bai.compiler.resources.ids import ResourceId
from bai.runtime.account_settings import AccountSettings, load_accounts
from bai.runtime.accounts import Accounts
from bai.runtime.file_server_settings import FileServers, FileServerSettings, load_file_servers
from bai.runtime.jobs.documents import read_document, run_file, write_document
from bai.runtime.mounts.driver import Commands

VERSION: Final = 3
"""Grows with every change that an older process would misunderstand."""

_WAY: Final = "scale the cluster down and up again"


@dataclass(frozen=True, slots=True)
class SetupSpec:
    """One run of the setup task of a node: what to run, where, and how.

    Paths are as the process that runs the task and the node see them.
    """

    uuid: str
    """The node's."""
    cluster: ResourceId
    cluster_uuid: str
    run: int
    """1 for the first run on the node; after a killed process comes another one."""
    node: int
    """Number of the node in its cluster."""
    wire: Mapping[str, Any]
    """The cluster's wire form."""
    folder: str
    """The node's folder."""
    submitted: str
    """The folder with what the task got when the cluster was put."""
    storage: str
    """The folder of the storage accounts."""
    file_servers: str
    """The folder that stands for the directories of file servers."""
    accounts: tuple[AccountSettings, ...] = ()
    """The storage accounts that are no folders."""
    mapped: tuple[FileServerSettings, ...] = ()
    """What stands for file servers; others are in their folder."""
    mount_commands: Commands = "refuse"
    """Whether mount commands are run."""
    python: str | None = None
    """The interpreter that `python` means; None for the one that runs bai."""

    @property
    def task(self) -> Mapping[str, Any]:
        """The setup task in wire form."""
        found: Mapping[str, Any] = self.wire["properties"]["nodeSetup"]["setupTask"]
        return found

    @property
    def storage_accounts(self) -> Accounts:
        """The storage accounts."""
        return Accounts(Path(self.storage), {account.name: account for account in self.accounts})

    @property
    def all_file_servers(self) -> FileServers:
        """The file servers."""
        return FileServers(Path(self.file_servers), {each.name: each for each in self.mapped})

    def write(self) -> None:
        """Write the document into the node's folder, all of it or nothing.

        Raises:
            OSError: the folder can't be written.
        """
        data = {"version": VERSION, **asdict(self), "cluster": str(self.cluster)}
        write_document(run_file(Path(self.folder), self.run), data)


def read_setup_spec(folder: Path, run: int) -> SetupSpec:
    """Read the document of a run from its node's folder.

    Raises:
        FileNotFoundError: there is none.
        StateError: it is damaged, or a newer bai wrote it.
        OSError: it can't be read.
    """
    return read_document(
        run_file(folder, run),
        SetupSpec,
        VERSION,
        _WAY,
        {"cluster": ResourceId.parse, "accounts": load_accounts, "mapped": load_file_servers},
    )
