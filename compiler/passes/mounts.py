"""Mounts to Batch AI's mountVolumes."""

from __future__ import annotations

from collections.abc import Mapping

from bai.compiler.passes.accounts import (
    check_host,
    choose_account,
    host_account,
    set_key,
    share_url,
)
from bai.compiler.passes.siblings import resolve_sibling
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.binds import bind_command
from bai.compiler.resources.ids import Kind
from bai.specs.findings import Path
from bai.specs.models.mounts import AzureBlob, AzureFile, FileServerVolume, Mount


def lower_mounts(builder: WireBuilder, target: Path, mounts: Mapping[str, Mount], at: Path) -> None:
    """Put every mount below the wire path `target`; `at` is the mounts' place in the document."""
    for key, mount in mounts.items():
        path = (*at, key)
        if mount.azure_file:
            volume = builder.item((*target, "azureFileShares"), path)
            _azure_file(builder, volume, mount.azure_file, (*path, "azureFile"))
        elif mount.azure_blob:
            volume = builder.item((*target, "azureBlobFileSystems"), path)
            _azure_blob(builder, volume, mount.azure_blob, (*path, "azureBlob"))
        elif mount.file_server:
            volume = builder.item((*target, "fileServers"), path)
            _file_server(builder, volume, mount.file_server, (*path, "fileServer"))
        else:
            volume = builder.item((*target, "unmanagedFileSystems"), path)
            _command(builder, volume, mount, path)
        builder.set_key((*volume, "relativeMountPath"), path)


def _azure_file(builder: WireBuilder, volume: Path, share: AzureFile, path: Path) -> None:
    written, source = share.account, (*path, "account")
    if written is None and share.url:
        written, source = host_account(share.url), (*path, "url")
    account = choose_account(builder.scope, written, source)
    if share.url:
        check_host(builder.scope, account, share.url, (*path, "url"))
    url = share.url or share_url(account.name, share.share or "")
    builder.set((*volume, "accountName"), account.name, account.source)
    builder.set((*volume, "azureFileUrl"), url, (*path, "url" if share.url else "share"))
    set_key(builder, volume, share.key, (*path, "key"))
    builder.set((*volume, "fileMode"), share.file_mode, (*path, "fileMode"))
    builder.set((*volume, "directoryMode"), share.directory_mode, (*path, "directoryMode"))


def _azure_blob(builder: WireBuilder, volume: Path, blob: AzureBlob, path: Path) -> None:
    account = choose_account(builder.scope, blob.account, (*path, "account"))
    builder.set((*volume, "accountName"), account.name, account.source)
    builder.set((*volume, "containerName"), blob.container, (*path, "container"))
    set_key(builder, volume, blob.key, (*path, "key"))
    builder.set((*volume, "mountOptions"), blob.options, (*path, "options"))


def _file_server(builder: WireBuilder, volume: Path, server: FileServerVolume, path: Path) -> None:
    source = (*path, "name")
    scope = builder.scope
    known = scope.declared.names(scope.names, Kind.FILE_SERVER)
    id = resolve_sibling(scope, Kind.FILE_SERVER, server.name, known, source)
    by_id = id is None or server.name.startswith("/")
    builder.set((*volume, "fileServer"), {"id": server.name if by_id else str(id)}, source)
    builder.set((*volume, "sourceDirectory"), server.source, (*path, "source"))
    builder.set((*volume, "mountOptions"), server.options, (*path, "options"))


def _command(builder: WireBuilder, volume: Path, mount: Mount, path: Path) -> None:
    if mount.unmanaged:
        command, source = mount.unmanaged.command, (*path, "unmanaged", "command")
    else:
        assert mount.file is not None
        command = bind_command(builder.scope.absolute(mount.file.path))
        source = (*path, "file", "path")
    builder.set((*volume, "mountCommand"), command, source)
