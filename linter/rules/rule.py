"""Rules: a check of one resource, with the kinds and forms of resources that it applies to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import wraps
from typing import Any, Final, NamedTuple

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView
from bai.linter.violation import Violation


class Form(Enum):
    """What a resource was read from."""

    SPEC = "spec"
    FILE = "file"
    """One of Batch AI's own files."""


Check = Callable[[ResourceView], Iterator[Violation]]
ContextCheck = Callable[[ResourceView, RuleContext], Iterator[Violation]]
Accepted = Mapping[str, Mapping[str, Any]]

EVERY_TEXT: Final = "*"
"""The place of all texts of a job file."""
OWN_VARIABLES: Final = "$"
"""In place of a place: where the job uses only its own mounts and directories."""
NOTHING: Final[Accepted] = {}


NEVER: Final[Mapping[str, Any]] = {"not": {}}
"""The JSON Schema that no value passes."""


def without(pattern: str) -> Mapping[str, Any]:
    """Return the JSON Schema of the texts in which a regular expression finds nothing."""
    return {"not": {"pattern": pattern}}


class Rule(NamedTuple):
    """The check of one code. Title, severity and stage are in `bai.specs.codes`."""

    code: str
    check: ContextCheck
    kinds: tuple[Kind, ...]
    """The kinds of resources that it checks; all if there are none."""
    form: Form | None
    """The form that it checks; None for both."""
    needs_cluster: bool
    """Whether it finds nothing, or not all, in a job whose cluster is not known."""
    needs_all: bool
    """Whether it finds what is missing: it does not run on specs that were read in part."""
    keys: tuple[str, ...]
    """Keys of which a resource has one, at any depth, wherever it finds anything; any if empty."""
    accepts: Accepted
    """Place in job files -> JSON Schema of values there about which it finds nothing.

    It is not called for a file whose values it all accepts; without any, it is always called.
    `bai.linter.rules.screen` describes places.
    """


def rule(
    code: str,
    *kinds: Kind,
    form: Form | None = None,
    needs_all: bool = False,
    keys: tuple[str, ...] = (),
    accepts: Accepted = NOTHING,
) -> Callable[[Check], Rule]:
    """Return a decorator that turns a check of one resource into a rule.

    The check is called once for each resource of the kinds and the form that has one of the keys;
    the arguments are those of `Rule`.
    """
    as_rule = context_rule(code, *kinds, form=form, needs_all=needs_all, keys=keys, accepts=accepts)

    def decorate(check: Check) -> Rule:
        @wraps(check)
        def check_alone(resource: ResourceView, _: RuleContext) -> Iterator[Violation]:
            return check(resource)

        return as_rule(check_alone)

    return decorate


def context_rule(
    code: str,
    *kinds: Kind,
    form: Form | None = None,
    needs_cluster: bool = False,
    needs_all: bool = False,
    keys: tuple[str, ...] = (),
    accepts: Accepted = NOTHING,
) -> Callable[[ContextCheck], Rule]:
    """Return such a decorator for a check that also needs the other resources or files."""

    def decorate(check: ContextCheck) -> Rule:
        return Rule(code, check, kinds, form, needs_cluster, needs_all, keys, accepts)

    return decorate
