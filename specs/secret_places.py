"""Where secrets stand in specs and in Batch AI's files, so that no excerpt shows one.

A spec holds no secrets, but people write some into it, and job.json does hold them. Whatever is
behind such a key counts, whether the key is known at its place or not; too much is no harm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from bai.specs.document import Document
from bai.specs.findings import Path, Span
from bai.specs.source.plain_scalar import NULLS

_WORD: Final = r"\w*(?:pass?wo?r?d|token|secret)|(?!ssh|\w*public)\w*key"
"""Names of secrets, with typos such as `pasword` and `accountkey`; public keys are none."""
_KEY: Final = re.compile(_WORD, re.IGNORECASE)
_NAMES: Final = re.compile(r"pass?w|token|secret|key|credential", re.IGNORECASE)
_VAULT: Final = re.compile(r"keyVault|\w+SecretReference|secretUrl")
"""Keys of references to a secret in a Key Vault."""
_REFERENCE: Final = re.compile(r"(?:env|file):.*|<.*>")
"""What stands in place of a secret: `env:NAME`, `<AZURE_BATCHAI_STORAGE_KEY>`."""
_WRITTEN: Final = re.compile(
    rf"""(?P<before>["']?\b(?:{_WORD}|value)["']?\s*:\s*)
         (?P<value>"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s,"'{{}}\[\]][^,{{}}\[\]]*)
       |(?P<all>["']?\bsecrets["']?\s*:\s*)(?P<more>\{{[^}}]*|\[[^]]*)""",
    re.IGNORECASE | re.VERBOSE,
)


def is_secret_place(path: Path) -> bool:
    """Return whether what stands at a path is a secret, or a reference to one."""
    steps = [step for step in path if isinstance(step, str)]
    if any(map(_VAULT.fullmatch, steps)):
        return False
    return "secrets" in steps or any(map(_KEY.fullmatch, steps))


def names_secret(text: str) -> bool:
    """Return whether a text speaks of a secret, so that no message may repeat it."""
    return _NAMES.search(text) is not None


def secret_spans(document: Document) -> Iterator[Span]:
    """Iterate over the places of all secrets in plain text."""
    # Not recursive: a file may be nested deeply.
    todo: list[tuple[Path, Any, bool]] = [((), document.data, False)]
    while todo:
        path, value, secret = todo.pop()
        if isinstance(value, dict):
            # The value of a plain variable that is called PASSWORD is one as well.
            named = isinstance(name := value.get("name"), str) and _KEY.fullmatch(name) is not None
            todo += (((*path, k), inner, named and k == "value") for k, inner in value.items())
            # NAME:SECRET, for want of a space, is a key.
            joined = [key for key, inner in value.items() if inner is None and ":" in key]
            for key in joined if is_secret_place(path) else ():
                if not _is_reference(key.partition(":")[2]):
                    yield document.key_span((*path, key))
        elif isinstance(value, list):
            todo += (((*path, index), inner, secret) for index, inner in enumerate(value))
        elif isinstance(value, str) and (secret or _is_value(path)) and not _is_reference(value):
            yield document.span(path)


def _is_value(path: Path) -> bool:
    # `name` and `env` beside a secret's value say which one it is.
    return is_secret_place(path) and path[-1] not in ("name", "env", "file")


def _is_reference(text: str) -> bool:
    return text in NULLS or _REFERENCE.fullmatch(text) is not None


@lru_cache(maxsize=4)
def secret_ranges(line: str) -> Sequence[tuple[int, int]]:
    """Return (start, end) of what looks like a secret in a line that can't be parsed."""
    # One line may be long and have many findings.
    found = []
    for match in _WRITTEN.finditer(line):
        group = "value" if match["value"] is not None else "more"
        if not _is_reference(match[group].strip("\"' ")):
            found.append(match.span(group))
    return found
