"""Apply the fixes of findings to files, which are read whole and replaced atomically."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bai.linter.driver.linter import Checked, Linter
from bai.linter.fixes import fix_all
from bai.specs.errors import ConflictError, RuntimeFailure
from bai.specs.findings import Finding
from bai.specs.replacing import replaced


class FixError(RuntimeFailure):
    """A file can't be fixed: it can't be written, or it was changed meanwhile."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file with its fixes applied, not yet written."""

    checked: Checked
    """The findings that are left."""
    count: int
    """How many fixes were made."""
    source: SourceFile
    text: str
    """The new text."""

    def write(self) -> None:
        """Replace the file's text.

        Raises:
            FixError: the file was changed meanwhile, or can't be written.
        """
        try:
            self.source.replace(self.text)
        except OSError as error:
            raise FixError(f"can't write {self.checked.file}: {error.strerror}") from None
        except ConflictError as error:
            raise FixError(str(error)) from None


class FixResult(NamedTuple):
    """A checked file after its fixes."""

    before: Checked
    after: Checked
    """The file with the findings that are left."""
    fixed: Fixed | None
    """The new text; None if there is none."""
    error: str | None = None
    """Why fixes could not be made."""


def fix_files(files: Iterable[Checked], linter: Linter, *, write: bool) -> Iterator[FixResult]:
    """Make the fixes of checked files; those of the others are made also if one can't be written.

    Args:
        files: what was checked.
        linter: what checked it.
        write: whether files are changed.
    """
    for checked in files:
        try:
            result = fixed(linter, checked)
            if result and write:
                result.write()
        except FixError as error:
            yield FixResult(checked, checked, None, str(error))
        else:
            yield FixResult(checked, result.checked if result else checked, result)


def fixed(linter: Linter, checked: Checked) -> Fixed | None:
    """Return a file with its fixes applied; None if it has none.

    Raises:
        FixError: the file can't be read any more, or not as text.
    """
    if not any(finding.fix for finding in checked.findings):
        return None
    try:
        source = open_source(Path(checked.file))
    except OSError as error:
        raise FixError(f"can't fix {checked.file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FixError(f"can't fix {checked.file}: it is not text any more") from None

    def check(text: str) -> tuple[Finding, ...]:
        return linter.content(text.encode(source.encoding), checked.file).findings

    text, count, left = fix_all(source.text, check(source.text), check)
    return Fixed(Checked(checked.file, tuple(left)), count, source, text) if count else None


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
