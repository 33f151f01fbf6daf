"""What the kernel has mounted in a folder, by its own table, and how to take it away.

The table is the only record: it is right whatever was killed.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Final

_TABLE: Final = Path("/proc/self/mountinfo")
_MNT_FORCE: Final = 1
_MNT_DETACH: Final = 2
_DETACH_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 0.1
_LIBC: Final = ctypes.CDLL(None, use_errno=True)


def mounted_below(folder: Path) -> list[str]:
    """Return the paths of mounts at a folder or in it, the innermost first."""
    # A mount whose server is gone can't be resolved; what stands above it can.
    real = str(folder.parent.resolve() / folder.name)
    paths = (_unescaped(line.split()[4]) for line in _TABLE.read_text("utf-8").splitlines())
    return sorted((path for path in paths if f"{path}/".startswith(f"{real}/")), reverse=True)


def detach_below(folder: Path, *, force: bool = False) -> bool:
    """Take away the mounts at a folder or in it; return whether none is left.

    What uses one goes on with it; nobody else finds it any more.

    Args:
        folder: the folder.
        force: whether what waits for the server of a mount fails, and waits no more.
    """
    for path in mounted_below(folder):
        flags = _MNT_DETACH | (_MNT_FORCE if force else 0)
        # Where a server is silent the call waits, though the mount is gone at once.
        call = threading.Thread(target=_detach, args=(path, flags), daemon=True)
        call.start()
        deadline = time.monotonic() + _DETACH_SECONDS
        while call.is_alive() and time.monotonic() < deadline:
            call.join(_LOOK_SECONDS)
            if not mounted_below(Path(path)):
                break
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


def _detach(path: str, flags: int) -> None:
    if _LIBC.umount2(os.fsencode(path), flags) == 0:
        return
    if program := fusermount():
        subprocess.run([program, "-uz", path], capture_output=True, check=False)


def _unescaped(path: str) -> str:
    """Return a path of the table, which has blanks and others in octal."""
    raw = re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), os.fsencode(path))
    return os.fsdecode(raw)
