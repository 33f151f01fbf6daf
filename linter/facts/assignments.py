"""Variables that a command sets itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bai.linter.facts.memo import memo
from bai.linter.facts.variable_uses import Use, variable_uses
from bai.linter.resource_view import ResourceView
from bai.specs.findings import Path

_ASSIGNMENT = re.compile(r"(?<![\w$])(AZ\w*)=", re.IGNORECASE | re.ASCII)


def is_assigned(resource: ResourceView, use: Use) -> bool:
    """Return whether the text gives the variable a value of its own, as in `NAME=1; echo $NAME`."""
    return use.name in _assigned(resource)[use.path]


@memo
def _assigned(resource: ResourceView) -> Mapping[Path, frozenset[str]]:
    """Return the variables that each text with uses sets."""
    texts = {use.path: use.text for use in variable_uses(resource)}
    return {path: frozenset(_ASSIGNMENT.findall(text)) for path, text in texts.items()}
