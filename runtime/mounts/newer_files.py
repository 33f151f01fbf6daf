"""Files in a job's mounts that are newer than its attempt: no comparison of specs shows them."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from bai.compiler.resources.binds import bound_directory
from bai.runtime.provider.live import Attempt

_MOST: Final = 2_000
"""Entries of a folder that are looked at: a folder of data may have millions."""
_ROOT: Final = "$AZ_BATCHAI_JOB_MOUNT_ROOT/"


class NewerFiles:
    """Looks into the folders that jobs mount from this machine (`file:`).

    It never takes for the user's what jobs wrote: files count if they changed after the attempt's
    end, and are in no mount for logs or outputs; the job's script counts at all times. What is
    hidden, in Python's caches or beyond the first entries of a large folder does not.
    """

    def __init__(self, own: Collection[Path] = ()) -> None:
        """Look into folders, each once.

        Args:
            own: absolute paths of folders that bai itself and jobs write to.
        """
        self._own = {str(path) for path in own}
        self._newest: dict[str, float] = {}

    def mounts(self, properties: Mapping[str, Any], attempt: Attempt) -> tuple[str, ...]:
        """Return the paths of the job's mounts with files that changed since an attempt.

        Args:
            properties: the job's, in wire form.
            attempt: an attempt with just these properties; one that has not ended has none.
        """
        if attempt.ended is None:
            return ()
        entries = (properties.get("mountVolumes") or {}).get("unmanagedFileSystems") or ()
        scripts = [
            settings["pythonScriptFilePath"]
            for settings in properties.values()
            if isinstance(settings, dict) and "pythonScriptFilePath" in settings
        ]
        outputs = properties.get("outputDirectories") or ()
        written = [properties["stdOutErrPathPrefix"], *(each["pathPrefix"] for each in outputs)]
        found = []
        for entry in entries:
            folder, path = bound_directory(entry["mountCommand"]), entry["relativeMountPath"]
            if folder is None:
                continue
            below = f"{_ROOT}{path}/"
            inner = [script.removeprefix(below) for script in scripts if script.startswith(below)]
            script_times = [_modified(os.path.join(folder, each)) for each in inner]  # noqa: PTH118
            is_written = any(f"{place}/".startswith(below) for place in written)
            if any(modified > attempt.created.timestamp() for modified in script_times) or (
                not is_written and self._newest_in(folder) > attempt.ended.timestamp()
            ):
                found.append(path)
        return tuple(found)

    def _newest_in(self, folder: str) -> float:
        if folder not in self._newest:
            times = (_modified(path) for path in self._files(folder))
            self._newest[folder] = max(times, default=0.0)
        return self._newest[folder]

    def _files(self, folder: str) -> Iterator[str]:
        """Iterate over the first files of a folder, those near its top first."""
        folders, left = [folder], _MOST
        for each in folders:
            try:
                with os.scandir(each) as entries:
                    for entry in entries:
                        left -= 1
                        if left < 0:
                            return
                        if entry.name.startswith((".", "__pycache__")) or entry.path in self._own:
                            continue
                        if entry.is_dir(follow_symlinks=False):
                            folders.append(entry.path)
                        elif entry.is_file():
                            yield entry.path
            except OSError:
                # Nothing is known of what can't be read.
                continue


def _modified(path: str) -> float:
    """Return when a file changed; 0 if nobody can tell, or a clock is wrong."""
    try:
        modified = os.stat(path).st_mtime  # noqa: PTH116 - many files
    except OSError:
        return 0.0
    return modified if modified <= time.time() else 0.0
