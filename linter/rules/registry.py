"""The rules: found in the folders beside this module, and run."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from bai.compiler.resources.ids import Kind
from bai.linter import rules
from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, Rule
from bai.linter.violation import Violation

_MOST: Final = 200
"""Violations of one rule that are reported: a file with more is broken in one way all over."""


class Found(NamedTuple):
    """A violation, with the rule that found it and the resource that it is in."""

    rule: Rule
    resource: ResourceView
    violation: Violation


def _always(_: RuleContext) -> bool:
    return True


def _has_local_folders(context: RuleContext) -> bool:
    return context.files is not None and context.mounts_folders


_GROUPS: Final[dict[str, Callable[[RuleContext], bool]]] = {
    "commands": _always,
    "mounts": _always,
    "references": _always,
    "scale": _always,
    "schema": _always,
    "scripts": _has_local_folders,
    "secrets": _always,
    "toolkits": _always,
    "values": _always,
}
"""Folder of rules -> whether they may find anything: if not, they are not even imported."""


def all_rules() -> Sequence[Rule]:
    """Return every rule, in the order of the codes.

    Raises:
        ValueError: two rules share a code.
    """
    return ordered(rule for group in _GROUPS for rule in _rules_in(group))


def violations(context: RuleContext, codes: Collection[str] | None = None) -> Iterator[Found]:
    """Iterate over the violations of every rule, at most some hundred of each.

    Args:
        context: the resources and their environment.
        codes: the codes of the rules to run; None for all.
    """
    counts = Counter[str]()
    groups = _applying(context)
    for resource in context.items:
        for rule in _rules_for(groups, resource.kind, _form(resource)):
            if codes is not None and rule.code not in codes:
                continue
            for violation in rule.check(resource, context):
                counts[rule.code] += 1
                if counts[rule.code] > _MOST:
                    break
                yield Found(rule, resource, violation)


def has_violations(context: RuleContext) -> bool:
    """Return whether any rule finds anything; most files are clean and need no more."""
    groups = _applying(context)
    for resource in context.items:
        for rule in _rules_for(groups, resource.kind, _form(resource)):
            for _ in rule.check(resource, context):
                return True
    return False


def _applying(context: RuleContext) -> tuple[str, ...]:
    return tuple(name for name, applies in _GROUPS.items() if applies(context))


def _form(resource: ResourceView) -> Form:
    return Form.SPEC if resource.is_compiled else Form.FILE


@cache
def _rules_for(groups: tuple[str, ...], kind: Kind, form: Form) -> Sequence[Rule]:
    """Return the rules of groups that check resources of a kind and form."""
    return ordered(
        rule
        for group in groups
        for rule in _rules_in(group)
        if (not rule.kinds or kind in rule.kinds) and rule.form in (None, form)
    )


@cache
def _rules_in(group: str) -> Sequence[Rule]:
    """Return the rules of a folder: those that its modules define, alone or in `RULES`."""
    package = importlib.import_module(f"{rules.__name__}.{group}")
    found: list[Rule] = []
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
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
