"""Records the files that a job found in its mounts and left, to notice later that one is gone.

Files that the job itself made or removed are not recorded.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bai.runtime.mounts.user_folders import first_files, user_folders

KEPT_FILES: Final = "kept-files.json"
"""Name of the record in an attempt's folder."""

_BRIEF: Final = ("~", "#", ".tmp", ".bak", ".pyc")
"""What names of files end with that editors and interpreters make and remove."""

Files = Mapping[str, Sequence[str]]
"""Mount path -> absolute paths of files."""


def found_files(properties: Mapping[str, Any], own: Collection[Path]) -> Files:
    """Return the files that a job finds in the folders that it mounts from this machine.

    Of a folder with its logs or outputs they are none, of a large one only the first.

    Args:
        properties: the job's, in wire form.
        own: absolute paths of folders that bai itself and jobs write to.
    """
    left_out = {str(path) for path in own}
    return {
        mount.path: [
            path for path in first_files(mount.folder, left_out) if not path.endswith(_BRIEF)
        ]
        for mount in user_folders(properties)
        if not mount.is_written
    }


def record_kept(found: Files, record: Path) -> None:
    """Write down which of the files are still there; on a full disk there is no record."""
    kept = {mount: [path for path in paths if not is_gone(path)] for mount, paths in found.items()}
    if any(kept.values()):
        with contextlib.suppress(OSError):
            record.write_text(json.dumps(kept))


def kept_files(record: Path) -> Files:
    """Read a record; without one, or with half of one, nothing was kept."""
    try:
        kept: Files = json.loads(record.read_text())
    except (OSError, ValueError):
        return {}
    return kept


def is_gone(path: str) -> bool:
    """Return whether there is no such file; what can't be looked at is not gone."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False
