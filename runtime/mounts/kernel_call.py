"""A mount of the kernel's, made or taken away in a process of its own, as either may hang.

It is asked by one line of JSON on stdin, where nobody else sees a secret, and answers by another
one on stdout: `{}`, or what went wrong.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import socket
import sys
from typing import Any

_MNT_DETACH = 2
_FLAGS = {
    "ro": 1,
    "nosuid": 2,
    "nodev": 4,
    "noexec": 8,
    "sync": 16,
    "noatime": 1 << 10,
    "nodiratime": 1 << 11,
    "relatime": 1 << 21,
    "strictatime": 1 << 24,
}
"""Option of a mount that is a flag -> its number in mount(2)."""
_PLAIN = {"rw", "suid", "dev", "exec", "async", "atime", "diratime", "defaults", "_netdev"}
"""Options that say what is so anyway, or that no kernel has."""
_LIBC = ctypes.CDLL(None, use_errno=True)


def _mount(asked: dict[str, Any]) -> None:
    """Mount, with the first address and the first variant that the server takes."""
    flags, data = 0, []
    for option in filter(None, asked["options"]):
        if option in _FLAGS:
            flags |= _FLAGS[option]
        elif option not in _PLAIN:
            data.append(option)
    problem = OSError(errno.EHOSTUNREACH, os.strerror(errno.EHOSTUNREACH))
    for *_, address in socket.getaddrinfo(asked["host"], None, type=socket.SOCK_STREAM):
        for variant in asked["variants"]:
            options = [variant, f"{asked['address']}={address[0]}", *data]
            try:
                _call(asked, flags, ",".join(options))
            except OSError as error:
                problem = error
                if error.errno not in (errno.EPROTONOSUPPORT, errno.EOPNOTSUPP):
                    break
            else:
                return
    raise problem


def _call(asked: dict[str, Any], flags: int, data: str) -> None:
    source, target, filesystem = (os.fsencode(asked[k]) for k in ("source", "path", "filesystem"))
    if _LIBC.mount(source, target, filesystem, ctypes.c_ulong(flags), os.fsencode(data)):
        _fail()


def _unmount(asked: dict[str, Any]) -> None:
    """Have all that was written arrive, then unmount; what still uses the mount goes on with it."""
    handle = os.open(asked["path"], os.O_RDONLY | os.O_DIRECTORY)
    try:
        if _LIBC.syncfs(handle):
            _fail()
    finally:
        os.close(handle)
    path = os.fsencode(asked["path"])
    if _LIBC.umount2(path, 0) and _LIBC.umount2(path, _MNT_DETACH):
        _fail()


def _fail() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))


def _look(asked: dict[str, Any]) -> None:
    """Ask the server something."""
    os.statvfs(asked["path"])


_ACTIONS = {"mount": _mount, "unmount": _unmount, "look": _look}


def main() -> None:
    """Do what stdin asks for."""
    asked = json.loads(sys.stdin.readline())
    answer: dict[str, Any] = {}
    try:
        _ACTIONS[asked["action"]](asked)
    except socket.gaierror as error:
        answer = {"number": errno.EHOSTUNREACH, "reason": f"{asked['host']}: {error.strerror}"}
    except OSError as error:
        answer = {"number": error.errno, "reason": error.strerror}
    sys.stdout.write(f"{json.dumps(answer)}\n")


if __name__ == "__main__":
    main()
