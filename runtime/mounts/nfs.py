"""NFS exports, which the kernel mounts."""

from __future__ import annotations

import errno
from typing import Final

from bai.runtime.mounts.driver import Mount
from bai.runtime.mounts.kernel import Call, FileSystem, KernelDriver

NFS: Final = FileSystem(
    "nfs4",
    "nfsv4",
    "NFS exports",
    "mount it on another machine, or write folder in place of export in bai.toml",
)
_WORDS: Final = {
    errno.EACCES: "the server does not export it to this machine",
    errno.ENOENT: "there is no such directory on the server: make it first",
    errno.EPERM: "mounting is not permitted",
    errno.EPROTONOSUPPORT: "the server does not speak NFS 4",
    errno.ENODEV: "this kernel has no nfs4",
}


def nfs_driver() -> KernelDriver:
    """Return the driver of exports."""
    return KernelDriver(NFS, _call, _WORDS)


def _call(mount: Mount) -> Call:
    host = mount.source.partition(":/")[0].strip("[]")
    return Call(
        NFS.name,
        mount.source,
        mount.path,
        host,
        address="addr",
        variants=("vers=4.2", "vers=4.1", "vers=4.0"),
        options=("nosuid", "nodev", *mount.options.removeprefix("-o ").split(",")),
    )
