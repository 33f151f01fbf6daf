"""A copy of a database, to read it where SQLite can't open it in place."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory


@contextmanager
def readable_copy(database: Path) -> Iterator[Path]:
    """Copy a database with its log, for as long as the block runs; what has it open keeps it.

    SQLite needs a file beside a database in WAL mode even to read it, which a full disk or one that
    can't be written does not take. What others write meanwhile may be in the copy or not.

    Raises:
        OSError: it can't be read, or there is no room for a copy.
    """
    with TemporaryDirectory(prefix="bai-") as folder:
        copy = Path(folder) / database.name
        # The log first: what it holds is moved to the database, never the other way.
        for suffix in ("-wal", ""):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{database}{suffix}", f"{copy}{suffix}")
        yield copy
