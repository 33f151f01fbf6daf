"""BAI411: every AZ_BATCHAI variable that is used exists."""

from __future__ import annotations

from bai.compiler.batchai.variables import AZURE_BATCH, PREFIX
from bai.linter.facts.variables import Use, former_variable, known_names, meant_variable
from bai.linter.resource_view import ResourceView
from bai.linter.rules.references.variable_rule import Words, variable_rule


@variable_rule("BAI411")
def known_variables(use: Use, resource: ResourceView) -> Words | None:
    if use.is_known or use.name in AZURE_BATCH:
        return None
    hint = _hint(resource, use.name)
    return (f"the service sets no variable {use.name}", hint) if hint else None


def _hint(resource: ResourceView, name: str) -> str | None:
    """Return what to do about an unknown variable; None if it may be the user's own."""
    if replaced := former_variable(name):
        return replaced
    if name.startswith(PREFIX):
        # The longest one, since AZ_BATCHAI_JOB_TEMP_DIR begins with AZ_BATCHAI_JOB_TEMP.
        beginnings = (each for each in known_names(resource) if name.startswith(each))
        beginning = max(beginnings, key=len, default=name)
        rest = name.removeprefix(beginning)
        if rest and rest not in ("S", "s") and not rest.startswith("_"):
            return f"to put {rest} behind a variable, write ${{{beginning}}}{rest}"
    if near := meant_variable(resource, name):
        return f"did you mean {near}?"
    return f"all that begin with {PREFIX} are its own" if name.startswith(PREFIX) else None
