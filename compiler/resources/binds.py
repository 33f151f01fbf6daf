"""Directories of the machine itself, as Batch AI can say them: `mount --bind DIRECTORY`."""

from __future__ import annotations

import shlex


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
