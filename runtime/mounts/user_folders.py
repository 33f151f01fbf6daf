"""The folders of the user's that a job mounts from this machine (`file:`), and what is in them.

Records the files that a job found there and left, to notice later that one is gone. Files that the
job itself made or removed are not recorded.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bai.compiler.resources.binds import bound_directory

MOST: Final = 2_000
"""Entries of a folder that are looked at: a folder of data may have millions."""
_ROOT: Final = "$AZ_BATCHAI_JOB_MOUNT_ROOT/"


@dataclass(frozen=True, slots=True)
class UserFolder:
    """A folder of the user's in a job."""

    path: str
    """relativeMountPath: below the mount root."""
    folder: str
    """The folder of this machine."""
    is_written: bool
    """Whether the job has its logs or outputs there."""

    @property
    def place(self) -> str:
        """What the job calls it, with a slash behind."""
        return f"{_ROOT}{self.path}/"


def user_folders(properties: Mapping[str, Any]) -> Iterator[UserFolder]:
    """Iterate over the user's folders in a job.

    Args:
        properties: the job's, in wire form.
    """
    written = written_paths(properties)
    for entry in (properties.get("mountVolumes") or {}).get("unmanagedFileSystems") or ():
        if folder := bound_directory(entry["mountCommand"]):
            path = entry["relativeMountPath"]
            is_written = any(f"{place}/".startswith(f"{_ROOT}{path}/") for place in written)
            yield UserFolder(path, folder, is_written)


def written_paths(properties: Mapping[str, Any]) -> list[str]:
    """Return the paths below which a job has its logs and outputs, as it calls them."""
    outputs = properties.get("outputDirectories") or ()
    return [properties["stdOutErrPathPrefix"], *(each["pathPrefix"] for each in outputs)]


def first_files(folder: str, own: Collection[str]) -> Iterator[str]:
    """Iterate over the first files of a folder, those near its top first.

    What is hidden or in Python's caches is none of them.

    Args:
        folder: its path.
        own: paths of folders that bai itself and jobs write to, which are left out.
    """
    folders, left = [folder], MOST
    for each in folders:
        try:
            with os.scandir(each) as entries:
                for entry in entries:
                    left -= 1
                    if left < 0:
                        return
                    if entry.name.startswith((".", "__pycache__")) or entry.path in own:
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    elif entry.is_file():
                        yield entry.path
        except OSError:
            # Nothing is known of what can't be read.
            continue


_BRIEF: Final = ("~", "#", ".tmp", ".bak", ".pyc")
"""What names of files end with that editors and interpreters make and remove."""

_SETTINGS: Final = "bai.toml"
_SPEC: Final = re.compile(rb"^[ {]*[\"']?apiVersion[\"']? *: *[\"']?bai/", re.MULTILINE)
_SPEC_NAMES: Final = (".yaml", ".yml", ".json")
_BEGIN: Final = 4096
"""Bytes of a file in which a spec says that it is one."""

MountedFiles = Mapping[str, Sequence[str]]
"""Mount path -> absolute paths of files."""


def found_files(properties: Mapping[str, Any], own: Collection[Path]) -> MountedFiles:
    """Return the files that a job finds in the folders that it mounts from this machine.

    Of a folder with its logs or outputs they are none, of a large one only the first.

    Args:
        properties: the job's, in wire form.
        own: absolute paths of folders that bai itself and jobs write to.
    """
    left_out = {str(path) for path in own}
    return {
        mount.path: [
            path
            for path in first_files(mount.folder, left_out)
            if not (path.endswith(_BRIEF) or is_spec(path))
        ]
        for mount in user_folders(properties)
        if not mount.is_written
    }


def record_kept(found: MountedFiles, record: Path) -> None:
    """Write down which of the files are still there; on a full disk there is no record."""
    kept = {mount: [path for path in paths if not is_gone(path)] for mount, paths in found.items()}
    if any(kept.values()):
        with contextlib.suppress(OSError):
            record.write_text(json.dumps(kept))


def kept_files(record: bytes) -> MountedFiles:
    """Return what a record holds; in one that is empty or broken off, nothing was kept."""
    try:
        kept: MountedFiles = json.loads(record)
    except ValueError:
        return {}
    return kept


def is_spec(path: str) -> bool:
    """Return whether a file is a spec or bai.toml, which bai reads and no job."""
    if not path.endswith(_SPEC_NAMES):
        return path.endswith(f"/{_SETTINGS}")
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - many files
            return _SPEC.search(file.read(_BEGIN)) is not None
    except OSError:
        return False


def is_gone(path: str) -> bool:
    """Return whether there is no such file; what can't be looked at is not gone."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
