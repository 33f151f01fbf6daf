"""The check of files on this machine before a run: `diff` and `apply` ask it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from bai.compiler.compilation import Compilation
from bai.compiler.resources.ids import ResourceId
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.driver.packages import InstalledPackages
from bai.linter.driver.settings_files import SettingsFinder
from bai.linter.environment import LintEnvironment
from bai.linter.spec_findings import spec_findings
from bai.linter.suppressions.apply import Reported
from bai.specs.codes import CODES, Stage
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec


class Target(Protocol):
    """The engine that is going to run the jobs."""

    @property
    def python(self) -> str | None:
        """The interpreter of its jobs; None for the one that runs bai."""


def preflight(
    specs: Sequence[LoadedSpec],
    compilations: Sequence[Compilation],
    target: Target,
    fuse_accounts: Collection[str] = (),
) -> Mapping[ResourceId, Sequence[Finding]]:
    """Check the files that jobs will run.

    Findings that a comment in a spec or the settings of `bai lint` suppress are left out.

    Args:
        specs: the specs.
        compilations: the compilation of each, without errors.
        target: the engine that will run the jobs.
        fuse_accounts: storage accounts whose containers the jobs will see by FUSE.

    Returns:
        Resource -> the findings about its files.

    Raises:
        ContextError: there are findings, and the settings of `bai lint` are not valid.
    """
    codes = {code.code for code in CODES.values() if Stage.PREFLIGHT in (code.stage, code.again)}
    environment = LintEnvironment(
        files=LocalFiles(),
        own_python=not target.python,
        packages=InstalledPackages(target.python),
        fuse_accounts=fuse_accounts,
    )
    found: dict[ResourceId, list[Finding]] = {}
    reported = Reported(SettingsFinder().below)
    for number, resource, finding in spec_findings(specs, compilations, codes, environment):
        assert resource.id
        if kept := reported.of([finding], specs[number]):
            found.setdefault(resource.id, []).extend(kept)
    return found
