"""Volumes of this machine: every kind of mount is a folder, shown at its mount path by a link."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from bai.compiler.resources.binds import bound_directory
from bai.runtime.errors import LaunchError
from bai.runtime.storage import Storage


@dataclass(frozen=True, slots=True)
class Volume:
    """A folder and where it appears."""

    path: str
    """relativeMountPath: below the mount root."""
    folder: Path
    """The folder of this machine."""
    made: bool
    """Whether bai makes the folder where it is missing; the user's own folders it does not."""


def volumes(wire: Mapping[str, Any], storage: Storage, state: Path) -> list[Volume]:
    """Return the volumes of a `mountVolumes`.

    Raises:
        LaunchError: a mount command that only a real node can run, or a mount path that leaves
            the mount root or overlaps with another one.
        StorageError: a share's name leads out of its account.
    """
    found = []
    for share in wire.get("azureFileShares") or ():
        name = urlsplit(share["azureFileUrl"]).path.strip("/")
        folder = storage.share(share["accountName"], name)
        found.append(Volume(share["relativeMountPath"], folder, made=True))
    for blob in wire.get("azureBlobFileSystems") or ():
        folder = storage.container(blob["accountName"], blob["containerName"])
        found.append(Volume(blob["relativeMountPath"], folder, made=True))
    for server in wire.get("fileServers") or ():
        name = server["fileServer"]["id"].rstrip("/").rsplit("/", 1)[-1]
        base = state / "fileservers" / name
        folder = base / (server.get("sourceDirectory") or "").strip("/")
        if not folder.resolve().is_relative_to(base.resolve()):
            raise LaunchError(f"the file server's directory {folder} leads out of it")
        found.append(Volume(server["relativeMountPath"], folder, made=True))
    for other in wire.get("unmanagedFileSystems") or ():
        directory = bound_directory(other["mountCommand"])
        if directory is None:
            raise LaunchError(
                f"this machine does not run the mount command {other['mountCommand']!r}: "
                "mount it yourself and use file:DIRECTORY"
            )
        found.append(Volume(other["relativeMountPath"], Path(directory), made=False))
    _check_paths(found)
    return found


def _check_paths(found: Iterable[Volume]) -> None:
    """Check that no volume stands outside the mount root, or inside another one."""
    seen: list[PurePosixPath] = []
    for volume in found:
        path = PurePosixPath(volume.path)
        if not path.parts or path.is_absolute() or ".." in path.parts:
            raise LaunchError(f"the mount path {volume.path!r} leaves the mount root")
        for other in seen:
            if path.is_relative_to(other) or other.is_relative_to(path):
                message = f"the mount paths {other} and {path} overlap: mount them side by side"
                raise LaunchError(message)
        seen.append(path)


def mount(root: Path, found: Iterable[Volume]) -> None:
    """Make each volume appear at its path below `root`.

    Raises:
        LaunchError: a folder of the user's does not exist, or one can't be made.
    """
    root.mkdir(parents=True, exist_ok=True)
    for volume in found:
        try:
            if volume.made:
                volume.folder.mkdir(parents=True, exist_ok=True)
            elif not volume.folder.is_dir():
                raise LaunchError(
                    f"the directory {volume.folder} of mount {volume.path} is missing"
                )
            link = root / volume.path
            link.parent.mkdir(parents=True, exist_ok=True)
            link.unlink(missing_ok=True)
            link.symlink_to(volume.folder, target_is_directory=True)
        except OSError as error:
            raise LaunchError(f"can't mount {volume.path}: {error.strerror}") from None


def unmount(root: Path, found: Iterable[Volume]) -> None:
    """Take the volumes away again; what is in them stays."""
    for volume in found:
        # A job may have put something else there; that is not ours to remove.
        with contextlib.suppress(OSError):
            (root / volume.path).unlink(missing_ok=True)
