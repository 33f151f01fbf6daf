"""Files that are replaced at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replaced(target: Path) -> Iterator[Path]:
    """Give a file to write, which becomes the target: none is ever seen half written.

    Whatever is raised meanwhile leaves the target as it was, and nothing beside it.

    Raises:
        OSError: the file can't be made, or not take the target's place.
    """
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".bai-")
    os.close(handle)
    try:
        yield Path(name)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
