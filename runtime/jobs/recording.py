"""Records how an attempt ended: in the database, or in a note until the database can be written.

The note's disk space is reserved before the attempt starts, so that it can be written on a full
disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from bai.runtime.errors import StateError
from bai.runtime.jobs.paths import attempt_folder
from bai.runtime.jobs.records import End, ExecutionState, JobError
from bai.runtime.provider.row_mapping import now, stamp
from bai.runtime.provider.store import Store

RECORD_SECONDS = 600
"""How long to retry writing the database; after that, the next command tries."""

_NOTE = "end.json"
_NOTE_BYTES = 4096
_MESSAGE_CHARACTERS = 300
"""How much a note keeps of a long message: JSON needs at most twelve bytes a character."""


class PendingResult(NamedTuple):
    """The result of an attempt that is not in the database yet."""

    end: End
    time: datetime


def reserve_note(folder: Path) -> None:
    """Reserve the disk space of a note in an attempt's folder; an existing note stays.

    Raises:
        OSError: the disk is full, or the folder can't be written.
    """
    handle = os.open(folder / _NOTE, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if os.fstat(handle).st_size < _NOTE_BYTES:
            # Only written bytes have disk space; a size alone may not.
            os.pwrite(handle, bytes(_NOTE_BYTES), 0)
            os.fsync(handle)
    finally:
        os.close(handle)


def pending_result(folder: Path) -> PendingResult | None:
    """Return the result in the note of an attempt's folder; None if there is none."""
    try:
        kept = json.loads((folder / _NOTE).read_bytes().rstrip(b"\0"))
        errors = tuple(JobError(**error) for error in kept["errors"])
        end = End(ExecutionState(kept["state"]), kept["exit_code"], errors)
        return PendingResult(end, datetime.fromisoformat(kept["time"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record(store: Store, uuid: str, end: End) -> None:
    """Record the end of an attempt, if it has not ended.

    While the database can't be written, the result is pending in the note, where commands find it;
    the write is retried for `RECORD_SECONDS`.
    """
    deadline = time.monotonic() + RECORD_SECONDS
    while not record_once(store, uuid, end) and time.monotonic() < deadline:
        time.sleep(1)


def record_once(store: Store, uuid: str, end: End) -> bool:
    """Record a pending result, or else `end`; return False if it is only in the note."""
    folder = attempt_folder(store.folder, uuid)
    pending = pending_result(folder)
    end, ended = pending or (end, None)
    try:
        store.attempts.finish(uuid, end, ended)
    except StateError:
        if not pending:
            _note(folder, end)
        return False
    return True


def _note(folder: Path, end: End) -> None:
    text = _text(end)
    if len(text) > _NOTE_BYTES:
        cut = (JobError(e.code, e.message[:_MESSAGE_CHARACTERS]) for e in end.errors[:1])
        text = _text(replace(end, errors=tuple(cut)))
    # The attempt may have been deleted, or have no note.
    with contextlib.suppress(OSError):
        handle = os.open(folder / _NOTE, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.pwrite(handle, text, 0)
            os.fsync(handle)
        finally:
            os.close(handle)


def _text(end: End) -> bytes:
    return json.dumps(asdict(end) | {"time": stamp(now())}).encode()
