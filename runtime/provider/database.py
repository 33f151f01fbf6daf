"""The SQLite database of a state folder."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from bai.runtime.errors import StateError
from bai.runtime.file_limit import reached
from bai.runtime.provider.readable_copy import readable_copy
from bai.runtime.provider.schema import MIGRATIONS, SCHEMA, VERSION

BUSY_SECONDS = 30.0
_RETRY_SECONDS = 0.01
STORAGE = "storage"
"""The folder of the storage accounts, which may be in the state folder before a database is."""
_IGNORED = "# bai's state: nothing in this folder belongs under version control.\n*\n"
BELOW = "({0} = ?1 OR substr({0}, 1, length(?1) + 1) = ?1 || '/' COLLATE NOCASE)"
"""Whether the id in a column is this one or one below it."""
T = TypeVar("T")


class Database:
    """A connection to `state.db`. Safe in threads, and beside any number of other processes.

    Every change is one IMMEDIATE transaction; WAL with full synchronisation keeps what was
    committed through a crash or a loss of power.

    The first transaction makes the folder and the database. Until then, or until another process
    has made them, reads go to an empty database in memory, so that reading leaves nothing behind.
    Where the disk is full, or can't be written, SQLite does not even open the database in place;
    then reads go to a copy of it, until a transaction finds that it can be written again.
    """

    def __init__(self, folder: Path) -> None:
        """Open the database of a state folder.

        Raises:
            StateError: the folder or the database can't be used.
        """
        self.folder = folder
        self._file = folder / "state.db"
        # The threads of a notebook may share one connection: one follows, another one cancels.
        self._lock = threading.RLock()
        with self._explained():
            self._made = self._exists()
            self._is_copy = False
            self._connection = self._open() if self._made else self._connect(":memory:")

    def _exists(self) -> bool:
        if self.folder.exists() and not self.folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if self._file.is_dir():
            raise StateError(
                f"{self._file} is a folder, and no database: move it away, or name another folder "
                "as `state` in bai.toml"
            )
        return self._file.exists()

    def _open(self) -> sqlite3.Connection:
        """Open the file, or a copy where it can't be written."""
        try:
            return self._connect(self._file)
        except sqlite3.OperationalError as error:
            if not _is_unwritable(error):
                raise
            with readable_copy(self._file) as copy:
                connection = self._connect(copy)
            self._is_copy = True
            return connection

    def _connect(self, name: Path | str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            name, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        # Python 3.13 warns of connections that end with their owner.
        weakref.finalize(self, connection.close)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")
        self._prepare(connection)
        return connection

    def _current(self, *, make: bool = False) -> sqlite3.Connection:
        """Return the connection, to the file as soon as there is one; `make` makes it."""
        if self._made and self._is_copy and make:
            self._replace(self._connect(self._file))
            self._is_copy = False
        elif not self._made and (make or self._exists()):
            self._make_folder()
            self._replace(self._connect(self._file) if make else self._open())
            self._made = True
        return self._connection

    def _make_folder(self) -> None:
        """Make the state folder, with a .gitignore of its own; a folder with other files gets none.

        Any folder may be named as that of the state, one that is under version control too.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if all(each.name == STORAGE for each in self.folder.iterdir()):
            ignore = self.folder / ".gitignore"
            with contextlib.suppress(FileExistsError), ignore.open("x") as file:
                file.write(_IGNORED)

    def _replace(self, connection: sqlite3.Connection) -> None:
        old, self._connection = self._connection, connection
        old.close()

    def _prepare(self, connection: sqlite3.Connection) -> None:
        version = _version(connection)
        if version == VERSION:
            return
        if version > VERSION:
            raise StateError(
                f"{self._file} was written by a newer bai (format {version}, "
                f"this one knows {VERSION}): upgrade bai, or use another state folder"
            )
        if version:
            self._back_up(connection, version)
        else:
            _use_wal(connection)
        with _transaction(connection):
            # Another process may have been faster.
            version = _version(connection)
            if version == 0:
                if connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
                    raise StateError(self._damaged)
                _run(connection, SCHEMA)
            for old in range(version or VERSION, VERSION):
                self._migrate(connection, old)
            connection.execute(f"PRAGMA user_version = {VERSION}")

    def _back_up(self, connection: sqlite3.Connection, version: int) -> None:
        """Keep the database of an older format beside the new one."""
        backup = self._file.with_name(f"{self._file.name}.v{version}")
        if not backup.exists():
            written = backup.with_name(f"{backup.name}.{uuid.uuid4().hex}")
            with closing(sqlite3.connect(written)) as copy:
                connection.backup(copy)
            written.replace(backup)

    def _migrate(self, connection: sqlite3.Connection, version: int) -> None:
        alive = connection.execute("SELECT count(*) FROM attempts WHERE ended IS NULL").fetchone()
        if alive[0]:
            raise StateError(
                f"jobs have not ended that an older bai started in {self.folder}: wait for them, "
                "or cancel them with that version; then this one takes over"
            )
        _run(connection, MIGRATIONS[version])

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def version(self) -> int:
        """Return a number that changes when another connection has changed the database."""
        with self._lock, self._explained():
            connection = self._current()
            found = int(connection.execute("PRAGMA data_version").fetchone()[0])
            # What is in memory counts as another version than any file.
            return found if self._made else -1

    def read(self, make: Callable[[sqlite3.Row], T], sql: str, *values: object) -> list[T]:
        """Return the rows of a query, each converted by `make`.

        Raises:
            StateError: the database can't be read, or `make` can't convert a row.
        """
        with self._lock, self._explained():
            rows = self._current().execute(sql, values).fetchall()
        try:
            return [make(row) for row in rows]
        except (ValueError, TypeError) as error:
            raise StateError(self._damaged) from error

    def row(self, sql: str, *values: object) -> sqlite3.Row | None:
        """Return the first row of a query, or None."""
        with self._lock, self._explained():
            found: sqlite3.Row | None = self._current().execute(sql, values).fetchone()
            return found

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run a block as one transaction, exclusive among all processes."""
        with self._lock, self._explained(), _transaction(self._current(make=True)) as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Run a block that only reads, on a consistent snapshot."""
        with self._lock, self._explained(), _transaction(self._current(), "DEFERRED") as connection:
            yield connection

    @contextmanager
    def plan_lock(self) -> Iterator[None]:
        """Run a block of several transactions under the lock that executed plans share.

        Raises:
            StateError: the folder can't be used.
        """
        with self._explained():
            self._make_folder()
            handle = os.open(
                self.folder / "plan.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
            )
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StateError(self._explain(error)) from error
        except OSError as error:
            raise StateError(
                f"can't use the state folder {self.folder}: {error.strerror}. {_OTHER_FOLDER}"
            ) from error

    @property
    def _damaged(self) -> str:
        return (
            f"{self._file} is damaged or no database of bai's: move it away to "
            "begin anew (storage and logs beside it stay)"
        )

    def _explain(self, error: sqlite3.Error) -> str:
        path = self._file
        # Errors raised by the sqlite3 module itself have no code.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        if code in _NO_ROOM:
            if limit := reached(Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm")):
                way = "Raise `ulimit -f` and run it again"
                return f"can't write {path}: files may not exceed {limit} bytes here. {way}"
            return f"can't write {path}: the disk is full. Free some space"
        if _is_unwritable(error):
            read_only = os.statvfs(self.folder).f_flag & os.ST_RDONLY
            why = "the file system is read-only" if read_only else "no permission to write there"
            return f"can't write {path}: {why}. {_OTHER_FOLDER}"
        if code & 0xFF in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return self._damaged
        if _is_locked(error):
            return f"{path} is locked by another process for over {BUSY_SECONDS:.0f} s"
        return f"can't use {path}: {error}"


def _use_wal(connection: sqlite3.Connection) -> None:
    """Give a new database its write-ahead log, unless another process does.

    This is the one statement for which SQLite does not wait while another process writes: it fails
    at once if two commands make the database at the same time.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not _is_locked(error) or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _run(connection: sqlite3.Connection, script: str) -> None:
    # executescript would end the transaction.
    for statement in script.split(";"):
        connection.execute(statement)


def _is_unwritable(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    plain = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
    return code in _NO_ROOM or code & 0xFF in plain


def _is_locked(error: sqlite3.Error) -> bool:
    # An extended code holds the plain one in its lowest byte.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def _transaction(
    connection: sqlite3.Connection, kind: str = "IMMEDIATE"
) -> Iterator[sqlite3.Connection]:
    connection.execute(f"BEGIN {kind}")
    try:
        yield connection
    except BaseException:
        # A failed write, on a full disk for one, may have rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


_OTHER_FOLDER = "Put that right, or name another folder as `state` in bai.toml"
_NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""The last is what a full disk gives when the index of the log can't grow."""
