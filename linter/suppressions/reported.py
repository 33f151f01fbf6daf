"""Select the findings of specs that neither comments nor settings suppress."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from bai.linter.suppressions.apply import unsuppressed
from bai.linter.suppressions.directives import Suppression, directives
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec


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
