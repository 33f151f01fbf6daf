"""Placeholders in texts: those of the old command line, and those that a person forgot."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.names import evident

_MARKS = "<>[]{}$%"
"""What people put around what is to be filled in."""


class Unfilled(NamedTuple):
    """A placeholder that nothing fills in."""

    part: str
    """The placeholder, as it stands in the text."""
    meant: str | None
    """The placeholder that it is a slip of, if it can be no other."""


def may_be_unfilled(text: str, known: str = "") -> bool:
    """Return whether another placeholder than the `known` one may stand in a text.

    Quick, for nearly none has one.
    """
    if known:
        text = text.replace(known, "")
    return "<" in text or "[" in text or "{" in text or "BATCHAI" in text.upper()


def unfilled(text: str, known: str = "") -> Iterator[Unfilled]:
    """Iterate over the placeholders in a text, apart from the `known` one and expressions."""
    for match in _marked().finditer(text):
        part = match[0]
        # `[parameters('key')]` is an expression of a template, `${name}` a variable.
        if part == known or (part[0] == "[" and "(" in part) or text[: match.start()][-1:] == "$":
            continue
        yield Unfilled(part, slip_of(part, known))


def unfilled_in_address(url: str) -> Iterator[Unfilled]:
    """Iterate over the placeholders in a share's address that are not the account's."""
    if not may_be_unfilled(url, STORAGE_ACCOUNT_PLACEHOLDER):
        return
    head, slashes, rest = url.partition("://")
    host, slash, share = rest.partition("/")
    if not slashes or not slash:
        yield from unfilled(url, STORAGE_ACCOUNT_PLACEHOLDER)
        return
    owner = host.partition(".")[0]
    is_name = owner.isalnum() and owner.islower()
    if not is_name and (meant := slip_of(owner, STORAGE_ACCOUNT_PLACEHOLDER)):
        yield Unfilled(owner, meant)
    else:
        yield from unfilled(f"{head}://{host}", STORAGE_ACCOUNT_PLACEHOLDER)
    yield from unfilled(share)


def slip_of(text: str, known: str) -> str | None:
    """Return the known placeholder if a text is nearly that, or lacks its brackets; or None."""
    bare = text.strip(_MARKS)
    if not known or text == known or not bare:
        return None
    return known if evident(bare, [known.strip(_MARKS)]) else None


@cache
def _marked() -> re.Pattern[str]:
    # Bounded, so that it stays linear.
    return re.compile(r"<[^<>]{1,200}>|\[[^\[\]]{1,200}\]|\{[^{}]{1,200}\}")
