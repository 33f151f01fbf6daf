"""What can go wrong at run time, each with a message for the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bai.specs.errors import ConflictError, RuntimeFailure


class StateError(RuntimeFailure):
    """The state folder can't be used: a full disk, no permission, a damaged or newer database."""


class NotFoundError(RuntimeFailure):
    """There is no such resource, attempt or file."""


class MissingFileError(NotFoundError, FileNotFoundError):
    """There is no file of the name that was given."""


class WaitTimeoutError(RuntimeFailure, TimeoutError):
    """A job has not come so far in the time that was given; it goes on."""


class ConsentError(ConflictError):
    """Jobs have changed, and new attempts were not asked for."""

    def __init__(self, jobs: Sequence[str], way: str | None = None) -> None:
        """Say so.

        Args:
            jobs: their names.
            way: how to ask for new attempts, where that is not the Python API.
        """
        way = way or f"ask for that with rerun=True or rerun={[*jobs]}"
        names = ", ".join(jobs)
        if len(jobs) == 1:
            super().__init__(
                f"the job {names} has changed, and jobs are immutable; only a new attempt can take "
                f"its place: {way}, or give the job another name"
            )
        else:
            super().__init__(
                f"the jobs {names} have changed, and jobs are immutable; only new attempts can "
                f"take their place: {way}, or give the jobs other names"
            )
        self.jobs = jobs


class SecretError(RuntimeFailure):
    """A secret's reference can't be resolved."""


class StorageError(RuntimeFailure):
    """A path of a storage account is wrong or can't be used."""


class AccountError(StorageError):
    """A storage account can't be used at all: unreachable, a wrong key, no permission."""


class ChecksumError(StorageError):
    """A file has not arrived as it was sent."""


class FolderError(StorageError):
    """A folder, where only a file can be taken without a word more."""

    def __init__(self, folder: str, does: str, way: str = "recursive=True") -> None:
        """Say so.

        Args:
            folder: its address or path.
            does: what happens to all of it then: `copies`.
            way: how to say that it is meant, where that is not the Python API.
        """
        super().__init__(f"{folder} is a folder: {way} {does} all of it")
        self.folder = folder
        self.does = does


class ElsewhereError(StorageError):
    """What a job has written is where its own mounts were, and not on this machine."""


class InUseError(StorageError, ConflictError):
    """A folder that jobs use which have not ended."""

    def __init__(self, folder: str, users: Mapping[str, str], way: str = "in_use=True") -> None:
        """Say so.

        Args:
            folder: its address.
            users: name -> state of each of the jobs.
            way: how to say that it is removed all the same, where that is not the Python API.
        """
        jobs = ", ".join(f"{name} ({state})" for name, state in users.items())
        if len(users) == 1:
            (name,) = users
            ends = f"wait for it (`bai wait {name}`), end it (`bai cancel {name}`)"
        else:
            ends = "wait for them with `bai wait`, end them with `bai cancel`"
        super().__init__(
            f"{folder} is in use by {jobs}: {ends}, or remove it all the same with {way}"
        )
        self.folder = folder
        self.users = users


class LaunchError(RuntimeFailure):
    """A job can't be started on this machine."""


class UploadError(RuntimeFailure):
    """What a job has written to a mount has not arrived in its storage account."""


class NodeLostError(RuntimeFailure):
    """A node of a job can't be reached any more."""

    def __init__(self, node: str, reason: str) -> None:
        """Say which, and why."""
        super().__init__(f"node {node} is lost: {reason}")
        self.node = node
        self.reason = reason


class SettingError(LaunchError):
    """A value of a toolkit's settings makes no command line."""

    def __init__(self, key: str, message: str) -> None:
        """Say what is wrong with the value behind a wire key."""
        super().__init__(message)
        self.key = key
