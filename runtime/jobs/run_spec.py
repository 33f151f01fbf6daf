"""What a supervisor is told: one document for each run of an attempt, in the attempt's folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from bai.compiler.resources.ids import ResourceId
from bai.runtime.account_settings import AccountSettings, load_accounts
from bai.runtime.accounts import Accounts
from bai.runtime.containers.settings import ContainerSettings, container_from_data
from bai.runtime.file_server_settings import FileServers, FileServerSettings, load_file_servers
from bai.runtime.jobs.documents import read_document, run_file, write_document
from bai.runtime.jobs.records import NodeName
from bai.runtime.mounts.driver import Commands

VERSION: Final = 4
"""Grows with every change that an older supervisor would misunderstand."""

_WAY: Final = "run the job again"


@dataclass(frozen=True, slots=True)
class RunSpec:
    """One run of an attempt: what to run, on which nodes, and how.

    Paths are as the supervisor and the nodes see them.
    """

    uuid: str
    """The attempt's."""
    job: ResourceId
    run: int
    """1 for the first run of the attempt; a requeue makes another one."""
    nodes: tuple[NodeName, ...]
    """The cluster's nodes that the gang has; none before the engine's own queue has chosen them."""
    wire: Mapping[str, Any]
    """The job's wire form."""
    cluster: Mapping[str, Any] | None
    """The wire form of its cluster."""
    folder: str
    """The attempt's folder."""
    storage: str
    """The folder of the storage accounts."""
    file_servers: str
    """The folder that stands for the directories of file servers."""
    accounts: tuple[AccountSettings, ...] = ()
    """The storage accounts that are no folders."""
    mapped: tuple[FileServerSettings, ...] = ()
    """What stands for file servers; others are in their folder."""
    launcher: str = "gloo"
    """What starts Horovod's processes: `gloo` or `mpirun`."""
    bind_to: str = "core"
    """What each process is bound to: `core`, its share of the cores, or `none`."""
    python: str | None = None
    """The interpreter that `python` means; None for the one that runs bai, or a container's own."""
    container: ContainerSettings | None = None
    """What the processes run in; None if they run on the machines themselves."""
    mount_commands: Commands = "refuse"
    """Whether mount commands are run."""
    is_compared: bool = False
    """Whether its sweep compares what it reports with the other members, and may end it early."""

    @property
    def properties(self) -> Mapping[str, Any]:
        """The job's properties in wire form."""
        found: Mapping[str, Any] = self.wire["properties"]
        return found

    @property
    def storage_accounts(self) -> Accounts:
        """The storage accounts."""
        return Accounts(Path(self.storage), {account.name: account for account in self.accounts})

    @property
    def all_file_servers(self) -> FileServers:
        """The file servers."""
        return FileServers(Path(self.file_servers), {each.name: each for each in self.mapped})

    def as_data(self) -> dict[str, Any]:
        """Return the document as JSON data; what it says of secrets are references."""
        return {"version": VERSION, **asdict(self), "job": str(self.job)}

    def write(self) -> None:
        """Write the document into the attempt's folder, all of it or nothing.

        Raises:
            OSError: the folder can't be written.
        """
        path = run_file(Path(self.folder), self.run)
        write_document(path, self.as_data())


def read_run_spec(folder: Path, run: int) -> RunSpec:
    """Read the document of a run from its attempt's folder.

    Raises:
        FileNotFoundError: there is none.
        StateError: it is damaged, or a newer bai wrote it.
        OSError: it can't be read.
    """
    parsers: dict[str, Callable[[Any], Any]] = {
        "job": ResourceId.parse,
        "nodes": tuple,
        "container": container_from_data,
        "accounts": load_accounts,
        "mapped": load_file_servers,
    }
    return read_document(run_file(folder, run), RunSpec, VERSION, _WAY, parsers)
