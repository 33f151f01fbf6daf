"""What `bai lint` calls an error about files of this machine, for a plan of a run on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bai.compiler.compilation import Compilation
from bai.compiler.lint.suppressions import unsuppressed
from bai.compiler.resources.ids import ResourceId
from bai.compiler.rules.codes import Codes
from bai.compiler.rules.compiled import subjects_of
from bai.compiler.rules.registry import RULES
from bai.compiler.rules.rule import Stage
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.surroundings import Surroundings
from bai.lint_files import MachineFiles
from bai.lint_settings import SettingsFinder
from bai.runtime.context import Context
from bai.specs.findings import Finding
from bai.specs.load import LoadedSpec

_OF_OWN_PYTHON: Final = "BAI722"
"""Says what bai's own Python can't compile."""


def wrong_files(
    specs: Sequence[LoadedSpec], compilations: Sequence[Compilation], context: Context
) -> Mapping[ResourceId, Sequence[Finding]]:
    """Look at the files that jobs will run.

    What a comment in a spec or the settings of `bai lint` take out is not told here either.

    Args:
        specs: what was compiled.
        compilations: what became of each, without errors.
        context: where it will run.

    Returns:
        Resource -> what is wrong with its files.

    Raises:
        ContextError: something is wrong, and the settings of `bai lint` are not valid.
    """
    documents = {}
    items = []
    for spec, compilation in zip(specs, compilations, strict=True):
        for subject in subjects_of(compilation.resources, spec.document):
            documents[id(subject)] = spec
            items.append(subject)
    folders = {spec.directory for spec in specs}
    subjects = Subjects(
        items, Surroundings(files=MachineFiles()), folders.pop() if len(folders) == 1 else None
    )
    found: dict[ResourceId, list[Finding]] = {}
    settings = SettingsFinder(Codes())
    for rule in RULES:
        if rule.stage is not Stage.LOOKING or not rule.check:
            continue
        if rule.code == _OF_OWN_PYTHON and context.engine.python:
            continue
        for complaint in rule.check(subjects):
            subject = complaint.subject
            assert subject.id
            finding = rule.finding(complaint)
            if _is_told(finding, documents[id(subject)], settings):
                found.setdefault(subject.id, []).append(finding)
    return found


def _is_told(finding: Finding, spec: LoadedSpec, settings: SettingsFinder) -> bool:
    if finding.span is None:
        return True
    file = finding.span.file
    if not settings.below(spec.directory).wants(finding.code, file):
        return False
    return bool(unsuppressed([finding], spec.document.text, file))
