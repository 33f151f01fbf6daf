"""Texts in the form of a spec's references to secrets: `env:NAME`, `file:PATH`."""

from __future__ import annotations

import re

from bai.linter.secrets.names import secret_kind


def is_reference(text: str, name: str) -> bool:
    """Return whether a text is meant as a reference to a secret.

    Args:
        text: the text.
        name: the name of the value. `file:/data` alone may be a URL, and `env:prod` a label; under
            the name of a secret they are neither.
    """
    source, _, rest = text.partition(":")
    if source == "env":
        pattern = r"[A-Za-z_]\w*" if secret_kind(name, variable=True) else r"[A-Z_][A-Z0-9_]*"
        return re.fullmatch(pattern, rest, re.ASCII) is not None
    if source == "file":
        is_url = rest.startswith("//")
        return bool(rest) and not is_url and secret_kind(name, variable=True) is not None
    return False
