"""Directories of the machine itself, as Batch AI can say them: `mount --bind DIRECTORY`."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Sequence

from bai.specs.words import unquoted


def bind_command(directory: str) -> str:
    """Return the mount command of a directory of the machine that the job runs on."""
    return f"mount --bind {shlex.quote(directory)}"


def bound_directory(mount_command: str) -> str | None:
    """Return the directory of a `bind_command`, or None for any other mount command."""
    try:
        words = shlex.split(mount_command)
    except ValueError:
        return None
    match words:
        case ["mount", "--bind", directory] if directory.startswith("/"):
            return directory
    return None


def mounted_path_hint(path: str, mounts: Sequence[str]) -> str:
    """Return what to write in place of a relative path of a file that a job runs.

    Args:
        path: the path.
        mounts: the mount paths of the job's bound directories.
    """
    bare = unquoted(path)
    if bare.startswith("/"):
        return f"write {bare}: quotes are a part of the path"
    name = posixpath.normpath(bare)
    if len(mounts) == 1:
        return f"write ${{mounts.{mounts[0]}}}/{name}"
    return f"mount the folder that holds it, and write ${{mounts.NAME}}/{name}"
