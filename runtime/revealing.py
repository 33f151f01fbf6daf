"""Looking up secrets, at the one moment when they are needed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from bai.runtime.errors import SecretError
from bai.specs.secrets import SecretRef


def reveal(ref: SecretRef) -> str:
    """Return the secret behind a reference. One newline at the end of a file does not count.

    Raises:
        SecretError: the variable is not set, or the file can't be read.
    """
    if ref.source == "env":
        value = os.environ.get(ref.name)
        if value is None:
            raise SecretError(f"the environment variable {ref.name} is not set: export it first")
        return value
    try:
        return Path(ref.name).read_text("utf-8").removesuffix("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise SecretError(f"can't read the secret file {ref.name}: {reason}") from None


def missing(refs: Iterable[SecretRef]) -> dict[SecretRef, str]:
    """Return those references that can't be looked up, each with the reason."""
    found = {}
    for ref in refs:
        try:
            reveal(ref)
        except SecretError as error:
            found[ref] = str(error)
    return found
