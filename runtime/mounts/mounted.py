"""What the kernel has mounted in a folder, by its own table, and how to take it away.

The table is the only record: it is right whatever was killed.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

_TABLE: Final = Path("/proc/self/mountinfo")
_MNT_DETACH: Final = 2
_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def mounted_below(folder: Path) -> list[str]:
    """Return the paths of mounts at a folder or in it, the innermost first."""
    # A mount whose server is gone can't be resolved; what stands above it can.
    real = str(folder.parent.resolve() / folder.name)
    paths = (_unescaped(line.split()[4]) for line in _TABLE.read_text("utf-8").splitlines())
    return sorted((path for path in paths if f"{path}/".startswith(f"{real}/")), reverse=True)


def detach_below(folder: Path) -> bool:
    """Take away the mounts at a folder or in it; return whether none is left.

    What uses one goes on with it; nobody else finds it any more.
    """
    for path in mounted_below(folder):
        _detach(path)
    return not mounted_below(folder)


def remove_folder(folder: Path) -> None:
    """Remove a folder with all in it, but nothing of what is mounted there.

    If something can't be unmounted, the folder stays.
    """
    if detach_below(folder):
        shutil.rmtree(folder, ignore_errors=True)


def fusermount() -> str | None:
    """Return the program that unmounts FUSE file systems for their users; None if it is missing."""
    return shutil.which("fusermount3") or shutil.which("fusermount")


def _detach(path: str) -> None:
    if _LIBC.umount2(os.fsencode(path), _MNT_DETACH) == 0:
        return
    if program := fusermount():
        subprocess.run([program, "-uz", path], capture_output=True, check=False)


def _unescaped(path: str) -> str:
    """Return a path of the table, which has blanks and others in octal."""
    raw = re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), os.fsencode(path))
    return os.fsdecode(raw)
