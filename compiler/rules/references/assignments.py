"""Variables that a command sets itself."""

from __future__ import annotations

import re

from bai.compiler.rules.variable_uses import Use


def is_assigned(use: Use) -> bool:
    """Return whether the text gives the variable a value of its own, as in `NAME=1; echo $NAME`."""
    return re.search(rf"(?<![\w$]){use.name}=", use.text[: use.start]) is not None
