"""How containers of real accounts become directories here: by FUSE, or by copies."""

from __future__ import annotations

from collections.abc import Mapping

from bai.runtime.account_settings import AccountSettings
from bai.runtime.mounts.rclone import obstacle


def why_copied(account: AccountSettings, *, is_contained: bool) -> str | None:
    """Return why containers of an account are copied for a job; None if they are mounted by FUSE.

    Args:
        account: the account.
        is_contained: whether the job runs in a container, where not all users see what rclone
            mounts.
    """
    if account.mount == "copy":
        return 'mount = "copy" in bai.toml'
    if account.mount == "fuse":
        return None
    if is_contained:
        return "the job runs in a container"
    why = obstacle("containers")
    return why and why[0]


def driver_of(account: AccountSettings, *, is_contained: bool) -> str:
    """Return the name of the driver that shows containers of an account here."""
    return "copy" if why_copied(account, is_contained=is_contained) else "blob"


def fuse_accounts(real: Mapping[str, AccountSettings]) -> frozenset[str]:
    """Return the accounts whose containers jobs see by FUSE, unless they run in a container."""
    shown = (name for name, each in real.items() if not why_copied(each, is_contained=False))
    return frozenset(shown)
