"""What was not looked for in a file: a suppression of it is not called unused."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from bai.linter.pages.catalogue import catalogue
from bai.linter.rules.rule import Stage

if TYPE_CHECKING:
    from bai.linter.driver.examine import Report

_ALWAYS = (Stage.READING, Stage.COMPILING, Stage.CHECKING, Stage.SUPPRESSING)
"""Other stages are those of other commands, or find other things on another machine."""


def unchecked(report: Report) -> Collection[str]:
    """Return the codes that were not looked for in a file, or not everywhere in it."""
    rules = [rule for rule, _ in catalogue().values()]
    if not report.is_whole:
        return {rule.code for rule in rules}
    context = report.context
    is_alone = any(context.cluster_of(job) is None for job in context.jobs)
    return {
        rule.code
        for rule in rules
        if rule.stage not in _ALWAYS or (is_alone and rule.needs_cluster)
    }
