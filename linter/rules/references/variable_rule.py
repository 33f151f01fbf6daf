"""Rules that check the uses of the service's variables, one use at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import wraps
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.facts.variables import Use, is_assigned, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import OWN_VARIABLES, Accepted, Rule, rule, without
from bai.linter.violation import Part, Violation

Words = tuple[str, str]
"""Message and hint."""
_FROM_ROOT: Final = {"pattern": r"^\$\{?AZ_BATCHAI_(?:JOB_)?MOUNT_ROOT"}
OWN_MOUNTS: Final[Accepted] = {
    OWN_VARIABLES: {},
    "stdOutErrPathPrefix": _FROM_ROOT,
    "OutputDirectory.pathPrefix": _FROM_ROOT,
    "InputDirectory.path": without("_(?:IN|OUT)PUT_"),
}
"""Uses of variables that are declared, and set where they are used."""
UseCheck = Callable[[Use, ResourceView], Words | None]


def variable_rule(
    code: str, *kinds: Kind, names: Collection[str] = ()
) -> Callable[[UseCheck], Rule]:
    """Return a decorator that turns a check of one use into a rule for all expanded texts.

    Uses with a fallback or a value of their own are skipped: `${NAME:-none}`, `NAME=1; ...`.

    Args:
        code: the code of its findings, which stand at the variable.
        kinds: the kinds of resources that it checks; all if there are none.
        names: the variables whose uses it checks; all if there are none.
    """

    def decorate(check: UseCheck) -> Rule:
        @wraps(check)
        def check_all(resource: ResourceView) -> Iterator[Violation]:
            for use in variable_uses(resource):
                words = check(use, resource) if not names or use.name in names else None
                if words and not use.has_fallback and not is_assigned(resource, use):
                    yield Violation(Part(use.path, use.written), *words)

        return rule(code, *kinds, accepts=OWN_MOUNTS)(check_all)

    return decorate
