"""BAI505: the address of a file share begins with the account of its mount."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER
from bai.linter.facts.placeholders import unfilled_in_address
from bai.linter.facts.volumes import FILE_SHARES, Volume
from bai.linter.rules.mounts.volume_rule import volume_rule
from bai.linter.rules.rule import Form
from bai.linter.violation import Violation

_ADDRESS = re.compile(r"https://([^./?#]+)\.([^/?#]+)/+[^/?#]", re.IGNORECASE)


# In specs, a pass checks the addresses.
@volume_rule("BAI505", FILE_SHARES, form=Form.FILE)
def share_addresses(volume: Volume) -> Iterator[Violation]:
    url = volume.text("azureFileUrl")
    if url is None or not (found := _wrong(url, volume.text("accountName"))):
        return
    # BAI611 reports placeholders.
    if not any(unfilled_in_address(url)):
        yield Violation(volume.at("azureFileUrl"), *found)


def _wrong(url: str, account: str | None) -> tuple[str, str] | None:
    """Return (message, hint) about a share's address; None if nothing is wrong with it."""
    match = _ADDRESS.match(url)
    if match is None:
        message = f"{url!r} is no address of a share"
        return message, "write it like https://ACCOUNT.file.core.windows.net/SHARE"
    owner, host = match.groups()
    if host.lower().startswith("blob."):
        message = f"{url!r} is the address of a blob container"
        return message, "mount it under azureBlobFileSystems"
    # The command line may fill in any address.
    if account is None or STORAGE_ACCOUNT_PLACEHOLDER in (account, owner):
        return None
    if owner.lower() != account.lower():
        message = f"the address is of account {owner!r}, the mount's account is {account!r}"
        return message, f"write accountName: {owner}"
    return None
