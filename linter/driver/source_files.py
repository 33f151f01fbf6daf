"""Files that fixes change: read whole, and replaced atomically."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from bai.specs.errors import ConflictError
from bai.specs.replacing import replaced

_ENCODINGS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file as it was when it was read."""

    path: Path
    """The file itself, behind all links."""
    data: bytes
    text: str
    """Its text with line ends and byte order mark."""
    encoding: str

    def replace(self, text: str) -> None:
        """Replace the text atomically: readers see all of the old file or all of the new one.

        The mode stays. A link to the file still leads to it.

        Raises:
            ConflictError: the file is not what was read.
            OSError: it can't be written.
        """
        with replaced(self.path) as written:
            with written.open("wb") as new:
                new.write(text.encode(self.encoding))
                new.flush()
                os.fsync(new.fileno())
                status = self.path.stat()
                _take_owner(new.fileno(), status)
                os.fchmod(new.fileno(), stat.S_IMODE(status.st_mode))
            self._check()

    def _check(self) -> None:
        if self.path.read_bytes() != self.data:
            raise ConflictError(f"{self.path} was changed meanwhile; nothing was written")


def open_source(path: Path) -> SourceFile:
    """Read a file that may be replaced.

    Raises:
        OSError: it can't be read, its links go round in circles, or it is no regular file.
        UnicodeDecodeError: it is not UTF-8, nor UTF-16 with a byte order mark.
    """
    target = Path(os.path.realpath(path, strict=True))
    if not target.is_file():
        raise OSError(None, "is no regular file", os.fspath(path))
    data = target.read_bytes()
    encoding = _ENCODINGS.get(data[:2], "utf-8")
    return SourceFile(target, data, data.decode(encoding), encoding)


def _take_owner(handle: int, status: os.stat_result) -> None:
    try:
        os.fchown(handle, status.st_uid, status.st_gid)
    except OSError:
        # Only root may give files away: the file then belongs to the user that wrote it.
        return
