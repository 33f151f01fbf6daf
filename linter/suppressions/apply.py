"""Comments that suppress findings.

- `# bai: ignore[BAI203, BAI5] reason` suppresses what starts on its line, or anywhere in the text
  of several lines that its line is a part of. Alone on a line, it is about the next line with
  content.
- `# bai: ignore-file[BAI203] reason` above the first line with content is about the whole file.

A code may be a prefix: `BAI5` is the whole group. A misspelt suppression
suppresses nothing and is reported (`misspelt`). Syntax errors can't be suppressed: in a file with
one, no other finding is either, since it is not known what is a comment there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from bai.linter.suppressions.comment_findings import block_findings, suppression_findings
from bai.linter.suppressions.directives import Suppression, directives, split_lines
from bai.specs.findings import Finding

if TYPE_CHECKING:
    # The models of specs take long to import, and Batch AI's own files do not need them.
    from bai.specs.load import LoadedSpec

_SYNTAX: Final = "BAI1"


def apply(
    findings: Sequence[Finding],
    text: str,
    file: str,
    unchecked: Collection[str] = (),
) -> Sequence[Finding]:
    """Drop the findings that comments suppress, and add those about the comments themselves.

    Args:
        findings: all findings of the file, before settings drop any: a suppression counts as
            unused only if what it suppresses was looked for.
        text: the file's text.
        file: its name in spans; findings of other files stay.
        unchecked: codes that were not checked in this run.
    """
    if any(f.code.startswith(_SYNTAX) for f in findings):
        return findings
    found, in_blocks, misspelt = directives(text, file)
    if not found and not in_blocks and not misspelt:
        return findings
    kept = unsuppressed(findings, found, file)
    kept += list(block_findings(in_blocks, kept, file))
    lines = split_lines(text)
    for suppression in found:
        kept += suppression_findings(suppression, lines, unchecked)
    if misspelt:
        from bai.linter.suppressions.misspelt import misspelt_findings

        kept += misspelt_findings(misspelt, file)
    return kept


def unsuppressed(
    findings: Sequence[Finding], found: Sequence[Suppression], file: str
) -> list[Finding]:
    """Drop the findings of a file that comments suppress, without findings about the comments."""
    by_lines: dict[range | None, list[Suppression]] = {}
    for item in found:
        by_lines.setdefault(item.lines, []).append(item)
    everywhere = by_lines.pop(None, [])
    # The lines of two suppressions are the same, or none is in both.
    at_line = {line: here for lines, here in by_lines.items() for line in lines or ()}
    kept = []
    for finding in findings:
        taken: list[Suppression] = []
        if finding.span and finding.span.file == file:
            here = at_line.get(finding.span.line, [])
            # No short cut: each suppression that takes the finding must record that it is used.
            taken = [item for item in (*everywhere, *here) if item.takes(finding)]
        if not taken:
            kept.append(finding)
    return kept


class FileSettings(Protocol):
    """The settings of the files in a folder."""

    def wants(self, code: str, file: str) -> bool:
        """Return whether findings of a code are reported for a file."""


SettingsOf = Callable[[str], FileSettings]
"""Returns the settings of the files in a folder, given with its absolute path."""


class Reported:
    """Selects findings of specs. Comments are read once for each text, and only if needed."""

    def __init__(self, settings_of: SettingsOf | None = None) -> None:
        """Hold the settings; without any, only comments count."""
        self._settings_of = settings_of
        self._comments: dict[str, list[Suppression]] = {}

    def of(self, findings: Iterable[Finding], spec: LoadedSpec) -> list[Finding]:
        """Return the findings of a spec that are reported, in their order."""
        found = list(findings)
        if not found:
            return found
        file, text = spec.document.file, spec.document.text
        if text not in self._comments:
            self._comments[text] = directives(text, file).suppressions
        found = unsuppressed(found, self._comments[text], file)
        if not self._settings_of:
            return found
        settings = self._settings_of(spec.directory)
        return [
            finding
            for finding in found
            if finding.span is None or settings.wants(finding.code, finding.span.file)
        ]
