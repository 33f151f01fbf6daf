"""Placeholders that nothing fills in, and misspelt ones of the old command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.specs.names import evident
from bai.specs.placeholders import GAP, placeholders

_MARKS = "<>[]{}$%"
"""What people put around what is to be filled in."""


class Unfilled(NamedTuple):
    """A placeholder that nothing fills in."""

    part: str
    """The placeholder, as it stands in the text."""
    meant: str | None
    """The placeholder that it stands for by mistake, if it can be no other."""


def may_be_unfilled(text: str, known: str = "") -> bool:
    """Return whether a text may hold another placeholder than the `known` one.

    A fast prefilter: nearly no text has one.
    """
    if known:
        text = text.replace(known, "")
    if "<" in text or "[" in text or "{" in text or text.endswith(GAP):
        return True
    return "BATCHAI" in text.upper()


def unfilled(text: str, known: str = "") -> Iterator[Unfilled]:
    """Iterate over the placeholders in a text, apart from the `known` one and expressions."""
    if text == GAP:
        yield Unfilled(text, None)
    for part in placeholders(text):
        if part != known:
            yield Unfilled(part, placeholder_meant(part, known))


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
    if not is_name and (meant := placeholder_meant(owner, STORAGE_ACCOUNT_PLACEHOLDER)):
        yield Unfilled(owner, meant)
    else:
        yield from unfilled(f"{head}://{host}", STORAGE_ACCOUNT_PLACEHOLDER)
    yield from unfilled(share)


def placeholder_meant(text: str, known: str) -> str | None:
    """Return the known placeholder if a text is a misspelt form of it; else None."""
    bare = text.strip(_MARKS)
    if not known or text == known or not bare:
        return None
    return known if evident(bare, [known.strip(_MARKS)]) else None
