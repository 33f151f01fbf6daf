"""The check of files on this machine before a run: `diff` and `apply` ask it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import ResourceId
from bai.linter.context import RuleContext
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.driver.settings_files import SettingsFinder
from bai.linter.environment import LintEnvironment
from bai.linter.rules.registry import violations
from bai.linter.rules.report import report
from bai.linter.suppressions.reported import Reported
from bai.linter.views import views_of
from bai.specs.codes import CODES, Stage
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec

_OF_OWN_PYTHON: Final = "BAI722"
"""Says what bai's own Python can't compile."""
_OF_COMMANDS: Final = "BAI710"
"""Needs no look at files but for scripts that commands run."""


class Target(Protocol):
    """The engine that is going to run the jobs."""

    @property
    def python(self) -> str | None:
        """The interpreter of its jobs; None for the one that runs bai."""


def preflight(
    specs: Sequence[LoadedSpec], compilations: Sequence[Compilation], target: Target
) -> Mapping[ResourceId, Sequence[Finding]]:
    """Check the files that jobs will run.

    Findings that a comment in a spec or the settings of `bai lint` suppress are left out.

    Args:
        specs: the specs.
        compilations: the compilation of each, without errors.
        target: the engine that will run the jobs.

    Returns:
        Resource -> the findings about its files.

    Raises:
        ContextError: there are findings, and the settings of `bai lint` are not valid.
    """
    owners = {}
    items = []
    for spec, compilation in zip(specs, compilations, strict=True):
        for view in views_of(compilation.resources, spec.document):
            owners[id(view)] = spec
            items.append(view)
    folders = {spec.directory for spec in specs}
    context = RuleContext(
        items, LintEnvironment(files=LocalFiles()), folders.pop() if len(folders) == 1 else None
    )
    found: dict[ResourceId, list[Finding]] = {}
    reported = Reported(SettingsFinder(CODES).below)
    codes = {code.code for code in CODES.values() if code.stage is Stage.PREFLIGHT}
    codes.add(_OF_COMMANDS)
    if target.python:
        codes.discard(_OF_OWN_PYTHON)
    for rule, view, violation in violations(context, codes):
        assert view.id
        finding = report(rule.code, view, violation)
        if kept := reported.of([finding], owners[id(view)]):
            found.setdefault(view.id, []).extend(kept)
    return found
