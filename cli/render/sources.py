"""The files that findings are about, as far as they are shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from bai.cli.render.masks import Masks, Ranges, found_secrets
from bai.specs.findings import Finding
from bai.specs.source.lines import Lines
from bai.specs.syntax.characters import MAX_BYTES

_MOST_KEPT: Final = 8


class Sources:
    """Reads lines of files on demand, and keeps the last files."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        """Begin with texts that can't be read again: name in spans -> text."""
        self._given = given or {}
        self._told: defaultdict[str, Ranges] = defaultdict(Ranges)
        self._file = lru_cache(_MOST_KEPT)(self._load)

    def line(self, finding: Finding) -> str | None:
        """Return the line where a finding starts, secrets as stars; None if it can't be read."""
        self.hide([finding])
        span = finding.span
        if span is None or (found := self._file(span.file)) is None:
            return None
        lines, masks = found
        try:
            line = lines.line(span.line)
        except IndexError:
            return None
        return masks.masked(line, span.line, self._told[span.file])

    def hide(self, findings: Iterable[Finding]) -> None:
        """Hide the secrets of findings in all lines that are shown from now on."""
        for span in found_secrets(findings):
            self._told[span.file].add(span)

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
        if (found := self._file(file)) is None:
            return None
        lines, _ = found
        try:
            return lines.byte(lines.offset(line, column))
        except IndexError:
            return None

    def _load(self, file: str) -> tuple[Lines, Masks] | None:
        text = self._given[file] if file in self._given else _read(Path(file))
        return None if text is None else (Lines(text), Masks(file, text))


def _read(path: Path) -> str | None:
    try:
        # A pipe is empty by now, or would never end; the reader refuses what is larger.
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        return path.read_bytes().decode("utf-8", "replace")
    except (OSError, ValueError):
        return None
