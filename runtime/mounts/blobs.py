"""Blob containers as rclone reaches them."""

from __future__ import annotations

from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.probe import refusal


class Containers:
    """Containers of real accounts, each opened by a signature."""

    plural = "containers"
    comparison: tuple[str, ...] = ()
    """The MD5 checksums that the service keeps are compared."""

    def variables(self, mount: Mount) -> dict[str, str]:
        """Return rclone's settings."""
        return {
            "RCLONE_CONFIG_BAI_TYPE": "azureblob",
            "RCLONE_CONFIG_BAI_SAS_URL": f"{mount.source}?{mount.secret}",
        }

    def top(self, mount: Mount) -> str:
        """Return the container's name."""
        return mount.source.rpartition("/")[2]

    def refusal(self, mount: Mount, environment: dict[str, str]) -> str | None:  # noqa: ARG002
        """Return why the container can't be listed."""
        return refusal(mount.source, mount.secret)
