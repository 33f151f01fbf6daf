"""The rules about single values of mount volumes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.linter.cache import cached
from bai.linter.facts.volumes import BLOB_CONTAINERS, FILE_SHARES, Volume
from bai.linter.rules.mounts.volume_rule import volume_rule
from bai.linter.rules.rule import Form
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest
from bai.specs.placeholders import GAP

_ACCOUNT: Final = re.compile("[a-z0-9]{3,24}")
_SHARE: Final = re.compile("https://[^/?#]+/+([^/?#]+)")
_NAME: Final = re.compile("[a-z0-9](?:-?[a-z0-9])*")
"""The name of a share or a container."""
_SHORTEST: Final = 3
_LONGEST: Final = 63
_MODES: Final = ("fileMode", "directoryMode")
_SPECIAL: Final = frozenset(("$root", "$web", "$logs"))
"""Containers that Azure has under names of its own."""


# In specs, a pass checks the accounts, which several mounts may share.
@volume_rule("BAI504", FILE_SHARES, BLOB_CONTAINERS, keys=("accountName",), form=Form.FILE)
def account_names(volume: Volume) -> Iterator[Violation]:
    account = volume.text("accountName")
    if account is None or account == STORAGE_ACCOUNT_PLACEHOLDER or _is_account(account):
        return
    meant = nearest(account, [STORAGE_ACCOUNT_PLACEHOLDER], cutoff=0.8)
    hint = f"did you mean {meant}?" if meant else "3 to 24 lowercase letters and digits"
    place = Part(volume.at("accountName"), account, meant)
    yield Violation(place, f"{account!r} is no storage account's name", hint)


@volume_rule("BAI511", FILE_SHARES, BLOB_CONTAINERS, keys=("azureFileUrl", "containerName"))
def storage_names(volume: Volume) -> Iterator[Violation]:
    if volume.kind == BLOB_CONTAINERS:
        what, key, name = "container", "containerName", volume.text("containerName")
    else:
        match = _SHARE.match(volume.text("azureFileUrl") or "")
        what, key, name = "share", "azureFileUrl", match and match[1]
    if name is None or _is_storage(name, volume.in_spec):
        return
    # BAI611 reports placeholders.
    if name not in (GAP, *_SPECIAL) and "<" not in name and not name.startswith(("[", "{")):
        message = f"{name!r} is no {what}'s name in Azure"
        hint = "3 to 63 lowercase letters, digits and single hyphens"
        yield Violation(Part(volume.at(key), name), message, hint)


@lru_cache(maxsize=256)
def _is_storage(name: str, in_spec: bool) -> bool:  # noqa: FBT001 - a cached function has no keywords
    """Return whether a share or a container may have a name."""
    # Short names are handy in specs, which mostly run on this machine.
    shortest = 1 if in_spec else _SHORTEST
    return shortest <= len(name) <= _LONGEST and _NAME.fullmatch(name) is not None


@cached
def _is_account(name: str) -> bool:
    return _ACCOUNT.fullmatch(name) is not None


@volume_rule("BAI512", BLOB_CONTAINERS, keys=("mountOptions",))
def blob_options(volume: Volume) -> Iterator[Violation]:
    options = volume.text("mountOptions") or ""
    if "'" in options or '"' in options:
        return
    takes_value = False
    for word in options.split():
        if not word.startswith("-") and not takes_value:
            message = f"{word!r} is no option of blobfuse by itself"
            yield Violation(Part(volume.at("mountOptions"), word), message, f"write -o {word}")
            return
        takes_value = word.startswith("-") and "=" not in word


# In specs, the models check the modes.
@volume_rule("BAI513", FILE_SHARES, keys=_MODES, form=Form.FILE)
def file_modes(volume: Volume) -> Iterator[Violation]:
    for key in _MODES:
        mode = volume.text(key)
        if mode is not None and not re.fullmatch("0?[0-7]{3}", mode):
            message = f"{key} {mode!r} is no octal file mode"
            yield Violation(volume.at(key), message, "write it like 0777")
