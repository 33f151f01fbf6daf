"""The files that findings are about, as far as they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

from bai.cli.render.masks import NOTHING, Masks, Ranges, found_secrets
from bai.specs.findings import Finding
from bai.specs.source.lines import Lines
from bai.specs.syntax.characters import MAX_BYTES

_MOST_KEPT: Final = 8


class Sources:
    """Reads lines of files on demand, and keeps the last files."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        """Begin with texts that can't be read again: name in spans -> text."""
        self._given = {file: Lines(text) for file, text in (given or {}).items()}
        self._kept: dict[str, Lines | None] = {}
        self._masks: dict[str, Masks] = {}
        self._told: dict[str, Ranges] = {}

    def line(self, finding: Finding) -> str | None:
        """Return the line where a finding starts, secrets as stars; None if it can't be read."""
        self.hide([finding])
        span = finding.span
        lines = self._lines(span.file) if span else None
        if span is None or lines is None:
            return None
        try:
            line = lines.line(span.line)
        except IndexError:
            return None
        if span.file not in self._masks:
            self._masks[span.file] = Masks(span.file, lines.text)
        return self._masks[span.file].masked(line, span.line, self._told.get(span.file, NOTHING))

    def hide(self, findings: Iterable[Finding]) -> None:
        """Hide the secrets of findings in all lines that are shown from now on."""
        for span in found_secrets(findings):
            self._told.setdefault(span.file, Ranges()).add(span)

    def hiding(self, findings: Iterable[Finding]) -> Iterator[Finding]:
        """Iterate over findings, the secrets of a file hidden before the first one about it.

        The line of a finding may hold a secret that only the next finding is about.
        """
        for _, group in groupby(findings, lambda finding: finding.span and finding.span.file):
            found = list(group)
            self.hide(found)
            yield from found

    def byte(self, file: str, line: int, column: int) -> int | None:
        """Return the offset of a place in bytes of UTF-8; None if the file can't be read."""
        lines = self._lines(file)
        try:
            return lines.byte(lines.offset(line, column)) if lines else None
        except IndexError:
            return None

    def _lines(self, file: str) -> Lines | None:
        if file in self._given:
            return self._given[file]
        if file not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                oldest = next(iter(self._kept))
                del self._kept[oldest]
                self._masks.pop(oldest, None)
            self._kept[file] = _read(Path(file))
        return self._kept[file]


def _read(path: Path) -> Lines | None:
    try:
        # A pipe is empty by now, or would never end; the reader refuses what is larger.
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        return Lines(path.read_bytes().decode("utf-8", "replace"))
    except (OSError, ValueError):
        return None
