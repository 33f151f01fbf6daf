"""The one-line form of a mount: from its full form to a line."""

from __future__ import annotations

from urllib.parse import quote

from pydantic_core import PydanticCustomError

from bai.specs.models.mount_urls import parse_mount_url
from bai.specs.models.mounts import Mount

_SAFE = "/<>$ "
"""Characters that stand unescaped in a line beside letters, digits and `_.-~`."""


def format_mount_url(mount: Mount) -> str | None:
    """Return the line that `parse_mount_url` reads as `mount`; None if only the full form can."""
    line = _format(mount)
    if line is None:
        return None
    try:
        same = Mount.model_validate(parse_mount_url(line)) == mount
    except (PydanticCustomError, ValueError):
        return None
    return line if same else None


def _format(mount: Mount) -> str | None:
    if share := mount.azure_file:
        if share.key or not share.share or share.url:
            return None
        options = {"fileMode": share.file_mode, "directoryMode": share.directory_mode}
        return _line("azureFile", share.account, share.share, options)
    if blob := mount.azure_blob:
        if blob.key:
            return None
        return _line("azureBlob", blob.account, blob.container, {"options": blob.options})
    if server := mount.file_server:
        options = {"options": server.options}
        if server.name.startswith("/"):
            return None if server.source else _line("fileServer", "", server.name[1:], options)
        return _line("fileServer", server.name, server.source, options)
    if mount.unmanaged:
        return f"command:{mount.unmanaged.command}"
    return f"file:{mount.file.path}" if mount.file else None


def _line(scheme: str, host: str | None, path: str | None, options: dict[str, str | None]) -> str:
    place = f":{quote(path or '', _SAFE)}"
    if host is not None:
        place = f"://{quote(host, '<>')}" + (f"/{quote(path, _SAFE)}" if path else "")
    query = "&".join(f"{k}={quote(v, '/:,= -')}" for k, v in options.items() if v is not None)
    return f"{scheme}{place}{'?' + query if query else ''}"
