"""Mounts: `NAME: URL` in a line, or in full."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any, Self

from pydantic import AfterValidator, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

from bai.specs.models.base import Filled, ShortForm, SpecModel, one_key
from bai.specs.models.errors import model_error
from bai.specs.models.mount_urls import LINE_PATTERN, parse_mount_url
from bai.specs.models.scalars import Text
from bai.specs.models.secret_forms import SecretSource


class AzureFile(SpecModel):
    """An Azure file share. In a line: `azureFile://ACCOUNT/SHARE?fileMode=0777`."""

    model_config = ConfigDict(json_schema_extra=one_key("share", "url"))

    account: Filled | None = None
    """Name of the storage account; by default the spec's `storageAccount`."""
    share: Filled | None = None
    """Name of the share, which may go on with a directory: `share/dir`."""
    url: Filled | None = None
    """Full URL of the share, for another cloud than Azure's public one."""
    key: SecretSource | None = None
    """Where the account's key lives; by default in the environment's AZURE_BATCHAI_STORAGE_KEY."""
    file_mode: Text | None = None
    """Mode of the files, octal; the service's default is 0777."""
    directory_mode: Text | None = None
    """Mode of the directories, octal; the service's default is 0777."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless the share is given in one way."""
        if ("share" in keys) == ("url" in keys):
            both = "share" in keys
            found, hint = ("both", "keep one of them") if both else ("neither", "add one of them")
            yield model_error("BAI305", f"expected one of share and url, found {found}", hint)

    @model_validator(mode="after")
    def _octal(self) -> Self:
        for name, mode in (("fileMode", self.file_mode), ("directoryMode", self.directory_mode)):
            if mode is not None and not re.fullmatch("0?[0-7]{3}", mode):
                message = f"{name} {mode!r} is no octal file mode"
                raise model_error("BAI513", message, "write it like 0777", (name,))
        return self


class AzureBlob(SpecModel):
    """An Azure blob container. In a line: `azureBlob://ACCOUNT/CONTAINER`."""

    account: Filled | None = None
    """Name of the storage account; by default the spec's `storageAccount`."""
    container: Filled
    """Name of the blob container, which is mounted as a whole."""
    key: SecretSource | None = None
    """Where the account's key lives; by default in the environment's AZURE_BATCHAI_STORAGE_KEY."""
    options: Text | None = None
    """Options for blobfuse, as on its command line: `-o allow_other`, for example."""


class FileServerVolume(SpecModel):
    """A Batch AI file server. In a line: `fileServer://NAME/SOURCE/DIRECTORY?options=rw`."""

    name: Filled
    """Name of a file server in the same workspace, or the ARM id of any."""
    source: Text | None = None
    """Directory on the server to mount; by default all of it."""
    options: Text | None = None
    """Options for mount's -o: `rw`, for example."""


class Unmanaged(SpecModel):
    """Any other file system. In a line: `command: mount -t cifs //host/share -o ...`."""

    command: Filled
    """Mount command without the mount path, which the service appends: `mount -t nfs host:/export`,
    for example.
    """


class LocalDirectory(SpecModel):
    """A directory of this machine, for runs on this machine. In a line: `file:DIRECTORY`."""

    path: Filled
    """The directory, from the folder of the spec's file: `.` is that folder."""


class Mount(SpecModel):
    """One volume, in a line or as exactly one of the keys."""

    model_config = ConfigDict(
        json_schema_extra=one_key("azureFile", "azureBlob", "fileServer", "unmanaged", "file")
    )

    azure_file: AzureFile | None = None
    """An Azure file share. In a line: `azureFile://ACCOUNT/SHARE?fileMode=0777`."""
    azure_blob: AzureBlob | None = None
    """An Azure blob container. In a line: `azureBlob://ACCOUNT/CONTAINER`."""
    file_server: FileServerVolume | None = None
    """A Batch AI file server. In a line: `fileServer://NAME/SOURCE/DIRECTORY?options=rw`."""
    unmanaged: Unmanaged | None = None
    """Any other file system. In a line: `command: mount -t cifs //host/share -o ...`."""
    file: LocalDirectory | None = None
    """A directory of this machine, for runs on this machine. In a line: `file:DIRECTORY`."""

    @classmethod
    def key_errors(cls, keys: Collection[str]) -> Iterator[PydanticCustomError]:
        """Yield an error unless there is one kind."""
        kinds = [field.alias or name for name, field in cls.model_fields.items()]
        found = [key for key in keys if key in kinds]
        if not found:
            yield model_error("BAI503", "a mount needs a kind", f"write one of {', '.join(kinds)}")
        elif len(found) > 1:
            message = f"a mount is of one kind, found {' and '.join(found)}"
            yield model_error("BAI503", message, "keep one of them", (found[1],))


def _mount(value: Any) -> Any:
    return parse_mount_url(value) if isinstance(value, str) else value


MountSpec = Annotated[Mount, ShortForm(_mount, {"type": "string", "pattern": LINE_PATTERN})]
"""A mount, as a URL-like line or in full."""


def mount_path_errors(keys: Iterable[str]) -> Iterator[PydanticCustomError]:
    """Yield what is wrong with mount paths: they can't leave their root or hide each other."""
    seen: dict[tuple[str, ...], str] = {}
    for key in keys:
        parts = tuple(part for part in key.split("/") if part not in ("", "."))
        if key.startswith("/") or ".." in parts or not parts:
            message = f"the mount path {key!r} leaves the mount root"
            inside = "/".join(part for part in parts if part != "..")
            hint = f"write {inside}" if inside else "write a name, data for one"
            yield model_error("BAI502", message, hint, (key,))
            continue
        for other, name in seen.items():
            shorter = min(len(parts), len(other))
            if parts[:shorter] == other[:shorter]:
                message = f"the mount path {key!r} overlaps with {name!r}"
                yield model_error("BAI502", message, "mount them side by side", (key,))
                break
        else:
            seen[parts] = key


def _mount_paths(mounts: dict[str, Mount]) -> dict[str, Mount]:
    for wrong in mount_path_errors(mounts):
        raise wrong
    return mounts


Mounts = Annotated[dict[Filled, MountSpec], AfterValidator(_mount_paths)]
"""Relative mount path -> mount."""
