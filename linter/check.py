"""The check of compiled specs. It is pure: it reads no file and starts no process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bai.compiler.compilation import Compilation
from bai.linter.spec_findings import spec_findings
from bai.linter.suppressions.apply import Reported, SettingsOf
from bai.specs.findings import Finding, Severity, by_place, errors
from bai.specs.load import LoadedSpec


def check(
    specs: Sequence[LoadedSpec],
    compilations: Sequence[Compilation],
    settings_of: SettingsOf | None = None,
) -> list[Compilation]:
    """Return the compilations with the rules' findings added to their own.

    Findings that comments in a spec or the settings of its folder suppress are left out, but never
    errors of the passes, because such a spec has no valid resources.

    Args:
        specs: specs that belong together.
        compilations: the result of `compile_specs` for each.
        settings_of: returns the settings of a folder; None where there are none.
    """
    reported = Reported(settings_of)
    found: list[list[Finding]] = [[] for _ in compilations]
    for number, _, finding in spec_findings(specs, compilations):
        found[number].append(finding)
    return [
        replace(compilation, findings=_joined(compilation.findings, mine, spec, reported))
        for spec, compilation, mine in zip(specs, compilations, found, strict=True)
    ]


def _joined(
    of_passes: Sequence[Finding], of_rules: Sequence[Finding], spec: LoadedSpec, reported: Reported
) -> tuple[Finding, ...]:
    """Return the findings of a spec that are not suppressed, in the order of its text."""
    fatal = errors(of_passes)
    others = [finding for finding in of_passes if finding.severity is not Severity.ERROR]
    found = dict.fromkeys((*fatal, *reported.of((*others, *of_rules), spec)))
    return tuple(sorted(found, key=by_place))
