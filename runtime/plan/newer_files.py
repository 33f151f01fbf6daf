"""Files in a job's mounts that are newer than its attempt, or gone since.

No comparison of specs shows them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from bai.runtime.errors import NotFoundError, StorageError
from bai.runtime.jobs.files import KEPT_FILES, RECORDS, Files
from bai.runtime.jobs.records import Attempt
from bai.runtime.mounts.user_folders import (
    UserFolder,
    first_files,
    is_gone,
    kept_files,
    user_folders,
)


class NewerFiles:
    """Looks into the folders that jobs mount from this machine (`file:`).

    It never takes for the user's what jobs wrote: files count if they changed after the attempt's
    end, or were there from its begin to its end and are gone, and are in no mount for logs or
    outputs; the job's script counts at all times. What is hidden, in Python's caches or beyond the
    first entries of a large folder does not.
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

    def mounts(self, properties: Mapping[str, Any], attempt: Attempt) -> tuple[str, ...]:
        """Return the paths of the job's mounts with files that changed since an attempt.

        Args:
            properties: the job's, in wire form.
            attempt: an attempt with just these properties; one that has not ended has none.
        """
        if attempt.ended is None:
            return ()
        kept = kept_files(self._record(attempt))
        return tuple(
            mount.path
            for mount in user_folders(properties)
            if _script_time(properties, mount) > attempt.created.timestamp()
            or (not mount.is_written and self._newest_in(mount.folder) > attempt.ended.timestamp())
            or self._is_any_gone(mount.folder, kept.get(mount.path, ()))
        )

    def _record(self, attempt: Attempt) -> bytes:
        try:
            return self._files_of(attempt.uuid).read(RECORDS, KEPT_FILES)
        except (NotFoundError, StorageError):
            return b""

    def _newest_in(self, folder: str) -> float:
        return max(self._times_in(folder).values(), default=0.0)

    def _is_any_gone(self, folder: str, paths: Iterable[str]) -> bool:
        return any(path not in self._times_in(folder) and is_gone(path) for path in paths)

    def _times_in(self, folder: str) -> Mapping[str, float]:
        """Return when the first files of a folder changed."""
        if folder not in self._times:
            self._times[folder] = {path: _modified(path) for path in first_files(folder, self._own)}
        return self._times[folder]


def _script_time(properties: Mapping[str, Any], mount: UserFolder) -> float:
    """Return when the newest of a job's scripts in a mount changed; 0 if there is none."""
    scripts = [
        settings["pythonScriptFilePath"]
        for settings in properties.values()
        if isinstance(settings, dict) and "pythonScriptFilePath" in settings
    ]
    inner = [each.removeprefix(mount.place) for each in scripts if each.startswith(mount.place)]
    times = (_modified(os.path.join(mount.folder, each)) for each in inner)  # noqa: PTH118
    return max(times, default=0.0)


def _modified(path: str) -> float:
    """Return when a file changed; 0 if that is unknown, or in the future."""
    try:
        modified = os.stat(path).st_mtime  # noqa: PTH116 - many files
    except OSError:
        return 0.0
    return modified if modified <= time.time() else 0.0
