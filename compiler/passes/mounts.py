"""Mounts to Batch AI's mountVolumes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from bai.compiler.draft import Draft
from bai.compiler.passes.accounts import account_name, check_host, credentials, share_url
from bai.compiler.passes.scope import Names, Scope
from bai.compiler.resources.ids import Kind
from bai.compiler.resources.mounts import bind_command
from bai.specs.findings import Path
from bai.specs.models.mounts import AzureBlob, AzureFile, FileServerVolume, Mount


def lower_mounts(
    scope: Scope, names: Names, draft: Draft, target: Path, mounts: Mapping[str, Mount], at: Path
) -> None:
    """Put every mount below the wire path `target`; `at` is the mounts' place in the document."""
    for key, mount in mounts.items():
        path = (*at, key)
        relative = {"relativeMountPath": key}
        if mount.azure_file:
            wire, kind = _azure_file(scope, mount.azure_file, path), "azureFileShares"
        elif mount.azure_blob:
            wire, kind = _azure_blob(scope, mount.azure_blob, path), "azureBlobFileSystems"
        elif mount.file_server:
            wire, kind = _file_server(names, mount.file_server), "fileServers"
        elif mount.unmanaged:
            wire, kind = {"mountCommand": mount.unmanaged.command}, "unmanagedFileSystems"
        else:
            assert mount.file is not None
            directory = os.path.normpath(os.path.join(scope.loaded.directory, mount.file.path))  # noqa: PTH118
            wire, kind = {"mountCommand": bind_command(directory)}, "unmanagedFileSystems"
        value = {name: part for name, part in (wire | relative).items() if part is not None}
        draft.append((*target, kind), value, path, relativeMountPath=path)


def _azure_file(scope: Scope, share: AzureFile, path: Path) -> dict[str, Any]:
    account = account_name(scope, share.account, path)
    if share.url:
        check_host(scope, account, share.url, path)
    return {
        "accountName": account,
        "azureFileUrl": share.url or share_url(account, share.share or ""),
        "credentials": credentials(scope, share.key),
        "fileMode": share.file_mode,
        "directoryMode": share.directory_mode,
    }


def _azure_blob(scope: Scope, blob: AzureBlob, path: Path) -> dict[str, Any]:
    return {
        "accountName": account_name(scope, blob.account, path),
        "containerName": blob.container,
        "credentials": credentials(scope, blob.key),
        "mountOptions": blob.options,
    }


def _file_server(names: Names, server: FileServerVolume) -> dict[str, Any]:
    by_id = server.name.startswith("/")
    return {
        "fileServer": {
            "id": server.name if by_id else str(names.id(Kind.FILE_SERVER, server.name))
        },
        "sourceDirectory": server.source,
        "mountOptions": server.options,
    }
