"""What is in a folder, as it is listed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder in another one."""

    name: str
    """Its path, from the folder that was listed."""
    is_directory: bool
    size: int
    """Bytes; 0 for a folder."""
    modified: datetime | None
    """None for a folder in a container, which has no time."""
    checksum: bytes | None = None
    """MD5 of a file's content, where an account keeps one."""
