"""The rules: found in the folders beside this module, and run."""

from __future__ import annotations

import importlib
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Final, NamedTuple

from bai.compiler.batchai.recognition import SCHEMA_KINDS
from bai.compiler.resources.ids import Kind
from bai.linter import rules
from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, Rule
from bai.linter.rules.screen import Screen, screen
from bai.linter.violation import Violation
from bai.schemas.validators import is_valid

_MOST: Final = 200
"""Violations of one rule that are reported: a file with more is broken in one way all over."""


class Found(NamedTuple):
    """A violation, with the rule that found it and the resource that it is in."""

    rule: Rule
    resource: ResourceView
    violation: Violation


_GROUPS: Final = ("commands", "jobs", "mounts", "references", "schema", "secrets", "values")
"""Folders of rules."""
_SCRIPTS: Final = "scripts"
"""The folder of those about scripts: without folders of this machine, it is not even imported."""


def all_rules() -> Sequence[Rule]:
    """Return every rule, in the order of the codes.

    Raises:
        ValueError: two rules share a code.
    """
    return ordered(rule for group in (*_GROUPS, _SCRIPTS) for rule in _rules_in(group))


def violations(context: RuleContext, codes: Collection[str] | None = None) -> Iterator[Found]:
    """Iterate over the violations of every rule, at most some hundred of each.

    Args:
        context: the resources and their environment.
        codes: the codes of the rules to run; None for all.
    """
    counts = Counter[str]()
    for resource in context.items:
        for rule in _rules_for(resource, context):
            if codes is not None and rule.code not in codes:
                continue
            rest = _MOST - counts[rule.code]
            for violation in islice(rule.check(resource, context), rest):
                counts[rule.code] += 1
                yield Found(rule, resource, violation)


def is_clean(context: RuleContext, *, is_one_of_many: bool = False) -> bool:
    """Return whether Batch AI's files are valid, and no rule finds anything in them.

    Most files are clean, and need no more.

    Args:
        context: the files.
        is_one_of_many: whether the screen, which takes long to make, will be of use for others.
    """
    for resource in context.items:
        may_pass = is_one_of_many and resource.kind is Kind.JOB and not _has_scripts(context)
        is_screened = may_pass and _screen()(resource, context)
        if not is_screened and not is_valid(SCHEMA_KINDS[resource.kind], resource.wire, "source"):
            return False
        for rule in _rules_for(resource, context, is_screened=is_screened):
            for _ in rule.check(resource, context):
                return False
    return True


def _rules_for(
    resource: ResourceView, context: RuleContext, *, is_screened: bool = False
) -> Sequence[Rule]:
    """Return the rules that may find anything in a resource."""
    form = Form.SPEC if resource.is_compiled else Form.FILE
    dispatch = _dispatch(resource.kind, form, _has_scripts(context), is_screened)
    return dispatch.rules_for(resource)


def _has_scripts(context: RuleContext) -> bool:
    """Return whether scripts on this machine may be looked at."""
    return context.files is not None and context.mounts_folders


@cache
def _screen() -> Screen:
    return screen(rule for group in _GROUPS for rule in _rules_in(group))


class _Dispatch:
    """The rules for the resources of a kind and a form, by what is in the resources."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._keys = frozenset(key for rule in rules for key in rule.keys)
        # The files of one project mostly have the same keys.
        self._chosen = lru_cache(maxsize=256)(self._choose)

    def rules_for(self, resource: ResourceView) -> Sequence[Rule]:
        """Return those that may find anything in a resource."""
        return self._chosen(self._keys & resource.keys)

    def _choose(self, keys: frozenset[str]) -> Sequence[Rule]:
        return [rule for rule in self._rules if not rule.keys or not keys.isdisjoint(rule.keys)]


@cache
def _dispatch(kind: Kind, form: Form, has_scripts: bool, is_screened: bool) -> _Dispatch:  # noqa: FBT001 - a cached function has no keywords
    groups = (*_GROUPS, _SCRIPTS) if has_scripts else _GROUPS
    return _Dispatch(
        ordered(
            rule
            for group in groups
            for rule in _rules_in(group)
            if (not rule.kinds or kind in rule.kinds) and rule.form in (None, form)
            if not (is_screened and rule.accepts)
        )
    )


@cache
def _rules_in(group: str) -> Sequence[Rule]:
    """Return the rules of a folder: those that its modules define, alone or in `RULES`."""
    package = importlib.import_module(f"{rules.__name__}.{group}")
    found: list[Rule] = []
    # `pkgutil` would do this, but takes longer to import than a file to check.
    files = {name for folder in package.__path__ for name in os.listdir(folder)}  # noqa: PTH208
    for name in sorted(files):
        if not name.endswith(".py") or name == "__init__.py":
            continue
        module = importlib.import_module(f"{package.__name__}.{name.removesuffix('.py')}")
        found += (each for each in vars(module).values() if isinstance(each, Rule))
        found += getattr(module, "RULES", ())
    return found


def ordered(found: Iterable[Rule]) -> Sequence[Rule]:
    """Return rules in the order of their codes.

    Raises:
        ValueError: two rules share a code.
    """
    in_order = sorted(found, key=lambda rule: rule.code)
    codes = Counter(rule.code for rule in in_order)
    if shared := [code for code, count in codes.items() if count > 1]:
        raise ValueError(f"more than one rule has the code {' and '.join(shared)}")
    return in_order
