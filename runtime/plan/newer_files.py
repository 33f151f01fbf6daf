"""Files in a job's mounts that are newer than its attempt, or gone since.

No comparison of specs shows them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bai.runtime.errors import NotFoundError, StorageError
from bai.runtime.jobs.files import KEPT_FILES, RECORDS, Files
from bai.runtime.jobs.records import Attempt
from bai.runtime.mounts.user_folders import (
    UserFolder,
    first_files,
    is_gone,
    is_spec,
    kept_files,
    user_folders,
)
from bai.specs.words import counted


@dataclass(frozen=True, slots=True)
class ChangedFiles:
    """Files of one mount that have changed, or are gone."""

    mount: str
    """relativeMountPath."""
    names: tuple[str, ...]
    """Their paths in the mount, those that changed last first; of what is gone with `(gone)`."""

    def __str__(self) -> str:
        more = f" and {counted(len(self.names) - 1, 'more file')}" if self.names[1:] else ""
        return f"{self.names[0]}{more} in mount {self.mount}"


class NewerFiles:
    """Looks into the folders that jobs mount from this machine (`file:`).

    It never takes for the user's what jobs wrote: files count if they changed after the attempt's
    end, or were there from its begin to its end and are gone, and are in no mount for logs or
    outputs; the job's script counts at all times. What is hidden, in Python's caches or beyond the
    first entries of a large folder does not, nor do specs and bai.toml, which are compared as such.
    """

    def __init__(self, own: Collection[Path], files_of: Callable[[str], Files]) -> None:
        """Look into folders, each once.

        Args:
            own: absolute paths of folders that bai itself and jobs write to.
            files_of: returns the files of an attempt, by its uuid.
        """
        self._own = {str(path) for path in own}
        self._files_of = files_of
        self._times: dict[str, Mapping[str, float]] = {}

    def of(self, properties: Mapping[str, Any], attempt: Attempt) -> tuple[ChangedFiles, ...]:
        """Return the files in the job's mounts that changed since an attempt.

        Args:
            properties: the job's, in wire form.
            attempt: an attempt with just these properties; one that has not ended has none.
        """
        if attempt.ended is None:
            return ()
        kept = kept_files(self._record(attempt))
        found = []
        for mount in user_folders(properties):
            changed = [
                each for each in _scripts(properties, mount) if _is_newer(each, attempt.created)
            ]
            if not mount.is_written:
                changed += self._newer_in(mount.folder, attempt.ended)
            gone = self._gone(mount.folder, kept.get(mount.path, ()))
            if changed or gone:
                names = [os.path.relpath(each, mount.folder) for each in dict.fromkeys(changed)]
                names += [f"{os.path.relpath(each, mount.folder)} (gone)" for each in gone]
                found.append(ChangedFiles(mount.path, tuple(names)))
        return tuple(found)

    def _record(self, attempt: Attempt) -> bytes:
        try:
            return self._files_of(attempt.uuid).read(RECORDS, KEPT_FILES)
        except (NotFoundError, StorageError):
            return b""

    def _newer_in(self, folder: str, since: datetime) -> list[str]:
        """Return the files of a folder that changed since then, the newest first."""
        times = self._times_in(folder)
        newer = [path for path, time in times.items() if time > since.timestamp()]
        newer.sort(key=times.__getitem__, reverse=True)
        return [path for path in newer if not is_spec(path)]

    def _gone(self, folder: str, paths: Iterable[str]) -> list[str]:
        return [path for path in paths if path not in self._times_in(folder) and is_gone(path)]

    def _times_in(self, folder: str) -> Mapping[str, float]:
        """Return when the first files of a folder changed."""
        if folder not in self._times:
            self._times[folder] = {path: _modified(path) for path in first_files(folder, self._own)}
        return self._times[folder]


def _scripts(properties: Mapping[str, Any], mount: UserFolder) -> list[str]:
    """Return the paths of a job's scripts in a mount."""
    scripts = [
        settings["pythonScriptFilePath"]
        for settings in properties.values()
        if isinstance(settings, dict) and "pythonScriptFilePath" in settings
    ]
    inner = [each.removeprefix(mount.place) for each in scripts if each.startswith(mount.place)]
    return [os.path.join(mount.folder, each) for each in inner]  # noqa: PTH118


def _is_newer(path: str, since: datetime) -> bool:
    return _modified(path) > since.timestamp()


def _modified(path: str) -> float:
    """Return when a file changed; 0 if that is unknown, or in the future."""
    try:
        modified = os.stat(path).st_mtime  # noqa: PTH116 - many files
    except OSError:
        return 0.0
    return modified if modified <= time.time() else 0.0
