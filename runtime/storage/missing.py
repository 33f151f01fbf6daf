"""What is said of an address or a path where nothing is, with what may be meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bai.runtime.accounts import parse_address
from bai.runtime.storage.place import Place
from bai.specs.names import nearest

_ALIKE = 0.7
"""How alike names of files are of which one is a slip: more than by their ends."""
_LISTED = 8
"""How many shares a message names."""


def nothing_at(place: Place, shares: Iterable[str]) -> str:
    """Return the sentence for a place where nothing is.

    Args:
        place: where that is.
        shares: the addresses of shares, or containers, that may be meant.
    """
    at = place.address
    if at is None:
        return f"there is nothing at {place.name}"
    share, *below = at.path.split("/")
    if below and place.files.stat(share):
        near = _nearest_below(replace(place, path=share), below)
        meant = replace(at, path=f"{share}/{near}")
        return f"there is nothing at {place.name}" + (f" (did you mean {meant}?)" if near else "")
    known = [each for each in shares if parse_address(each).scheme == at.scheme]
    names = {share_name(address): address for address in reversed(known)}
    if near := nearest(share, names):
        hint = f"did you mean {'/'.join([names[near], *below])}?"
    else:
        more = f", and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
        listed = ", ".join(known[:_LISTED])
        hint = f"there is: {listed}{more}" if known else "no account has any"
    return f"there is nothing at {place.name} in the account {at.account} ({hint})"


def share_name(address: str) -> str:
    """Return the name of the share, or container, of an address of one."""
    return parse_address(address).share


def _nearest_below(folder: Place, parts: Sequence[str]) -> str | None:
    """Return the path that is there and that a path in a folder most likely stands for, or None."""
    found: list[str] = []
    for part in parts:
        here = folder.below("/".join(found)) if found else folder
        names = []
        if here.is_folder():
            names = [each.name for each in here.files.entries(here.path, recursive=False)]
        if not (near := nearest(part, names, cutoff=_ALIKE)):
            return None
        found.append(near)
    return "/".join(found)
