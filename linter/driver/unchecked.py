"""Codes that were not checked in a file: suppressions of them are not reported as unused."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from bai.linter.rules.registry import all_rules
from bai.specs.codes import CODES, Stage

if TYPE_CHECKING:
    from bai.linter.driver.examine import Report

_ALWAYS = (Stage.READING, Stage.COMPILING, Stage.CHECKING, Stage.SUPPRESSING)
"""Other stages are those of other commands, or find other things on another machine."""


def unchecked(report: Report) -> Collection[str]:
    """Return the codes that were not checked in a file, or not everywhere in it."""
    if not report.is_whole:
        return CODES.keys()
    context = report.context
    is_alone = any(context.cluster_of(job) is None for job in context.jobs)
    found = {code.code for code in CODES.values() if code.stage not in _ALWAYS}
    if is_alone:
        found |= {rule.code for rule in all_rules() if rule.needs_cluster}
    return found
