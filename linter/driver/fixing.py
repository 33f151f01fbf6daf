"""Apply the fixes of findings to files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bai.linter.driver.linter import Checked, Linter
from bai.linter.driver.source_files import SourceFile, open_source
from bai.linter.fixes import fix_all
from bai.specs.errors import ConflictError, RuntimeFailure
from bai.specs.findings import Finding


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
