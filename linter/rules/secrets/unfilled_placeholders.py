"""BAI611: a volume has only placeholders that are filled in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.linter.facts.placeholders import (
    Unfilled,
    may_be_unfilled,
    placeholder_meant,
    unfilled,
    unfilled_in_address,
)
from bai.linter.facts.volumes import BLOB_CONTAINERS, FILE_SHARES, Volume
from bai.linter.rules.mounts.volume_rule import volume_rule
from bai.linter.violation import Part, Violation
from bai.specs.placeholders import STORAGE_KEY_PLACEHOLDER

_WHAT: Final = {
    "accountName": "the storage account's name",
    "azureFileUrl": "the names of the account and the share",
    "containerName": "the container's name",
    "accountKey": f"{STORAGE_KEY_PLACEHOLDER}, or accountKeySecretReference",
}
"""Key -> what to write there."""
_SPEC_WORDS: Final = {"azureFileUrl": "the share's name"}
"""The same in a spec, where only the share may be a placeholder here."""


@volume_rule("BAI611", FILE_SHARES, BLOB_CONTAINERS)
def unfilled_placeholders(volume: Volume) -> Iterator[Violation]:
    for keys, found in _unfilled(volume):
        words = _SPEC_WORDS if volume.in_spec and keys[-1] in _SPEC_WORDS else _WHAT
        hint = f"did you mean {found.meant}?" if found.meant else None
        yield Violation(
            Part(volume.at(*keys), found.part, found.meant),
            f"nothing fills in {found.part!r}",
            hint or f"write {words[keys[-1]]} in its place",
        )


def _unfilled(volume: Volume) -> Iterator[tuple[Sequence[str], Unfilled]]:
    """Iterate over (keys that lead to it, placeholder) of placeholders that nothing fills in."""
    entry = volume.entry
    url = entry.get("azureFileUrl")
    if isinstance(url, str) and may_be_unfilled(url, STORAGE_ACCOUNT_PLACEHOLDER):
        # BAI504 reports the account that a spec's address begins with.
        share = url.partition("://")[2].partition("/")[2]
        for each in unfilled(share) if volume.in_spec else unfilled_in_address(url):
            yield ("azureFileUrl",), each
    container = entry.get("containerName")
    if isinstance(container, str) and may_be_unfilled(container):
        for each in unfilled(container):
            yield ("containerName",), each
    if volume.in_spec:
        return  # BAI504 reports accounts, BAI601 keys
    name = entry.get("accountName")
    # BAI504 takes `[your account]` for an expression of a template.
    if isinstance(name, str) and is_expression(name):
        for each in unfilled(name):
            yield ("accountName",), each
    credentials = entry.get("credentials")
    key = credentials.get("accountKey") if isinstance(credentials, dict) else None
    if isinstance(key, str) and may_be_unfilled(key, STORAGE_KEY_PLACEHOLDER):
        for each in _in_key(key):
            yield ("credentials", "accountKey"), each


def _in_key(key: str) -> Iterator[Unfilled]:
    if key.startswith(("<secret env:", "<secret file:")):
        return
    if meant := placeholder_meant(key, STORAGE_KEY_PLACEHOLDER):
        yield Unfilled(key, meant)
    else:
        yield from (each for each in unfilled(key) if each.part == key)
