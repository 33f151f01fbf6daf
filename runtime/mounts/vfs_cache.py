"""What a job has written to a mount of rclone's, by the files of rclone's cache.

With `--vfs-cache-mode writes`, `vfs/REMOTE/CONTAINER` holds what was opened to be written, and
`vfsMeta/REMOTE/CONTAINER` says of each file which parts are there and whether it is uploaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was opened to be written."""

    path: str
    """From the top of the container."""
    is_uploaded: bool
    is_whole: bool
    """Whether the cache has all of it: one that was only read and not changed may have holes."""
    longer_than: int | None = None
    """Its size, where the cache has more: rclone 1.60 cuts a closed file in its notes alone."""


def written_files(cache: Path, container: str) -> Iterator[Written]:
    """Iterate over the files of a cache.

    One of which rclone is writing its notes is neither uploaded nor whole: look again.

    Args:
        cache: the folder given to rclone.
        container: what is mounted.

    Raises:
        OSError, ValueError: the cache can't be read.
    """
    for top in cache.glob(f"vfsMeta/*/{container}"):
        for path in top.rglob("*"):
            if path.is_file():
                yield _written(path, top, cache)


def content(cache: Path, container: str) -> Path | None:
    """Return the folder with the files themselves; None if nothing was written."""
    return next(cache.glob(f"vfs/*/{container}"), None)


def _written(path: Path, top: Path, cache: Path) -> Written:
    try:
        found = json.loads(path.read_text("utf-8"))
        size, name = found["Size"], path.relative_to(top)
        ranges = [(each["Pos"], each["Size"]) for each in found["Rs"] or ()]
        # Of a file that was cut there may be more than is left.
        is_there = not size or (len(ranges) == 1 and ranges[0][0] == 0 and ranges[0][1] >= size)
        held = (cache / "vfs" / top.relative_to(cache / "vfsMeta") / name).stat().st_size
        longer_than = size if is_there and held > size else None
        is_whole = is_there and held == size
        return Written(name.as_posix(), not found["Dirty"], is_whole, longer_than)
    except FileNotFoundError:
        # Removed or renamed meanwhile.
        return Written(path.relative_to(top).as_posix(), is_uploaded=True, is_whole=False)
    except (KeyError, TypeError):
        raise ValueError(f"{path} is none of rclone's") from None
    except json.JSONDecodeError:
        # rclone empties such a file before it writes it again, at every change.
        return Written(path.relative_to(top).as_posix(), is_uploaded=False, is_whole=False)
