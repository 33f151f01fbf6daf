"""Variables that a command sets itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bai.compiler.rules.per_subject import per_subject
from bai.compiler.rules.subject import Subject
from bai.compiler.rules.variable_uses import Use, variable_uses
from bai.specs.findings import Path

_ASSIGNMENT = re.compile(r"(?<![\w$])(AZ\w*)=", re.IGNORECASE | re.ASCII)


def is_assigned(subject: Subject, use: Use) -> bool:
    """Return whether the text gives the variable a value of its own, as in `NAME=1; echo $NAME`."""
    return use.name in _assigned(subject)[use.path]


@per_subject
def _assigned(subject: Subject) -> Mapping[Path, frozenset[str]]:
    """Return the variables that each text with uses sets."""
    texts = {use.path: use.text for use in variable_uses(subject)}
    return {path: frozenset(_ASSIGNMENT.findall(text)) for path, text in texts.items()}
