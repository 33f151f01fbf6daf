"""The record of how an attempt ended: in the database, and in a note until that can be written.

The room for the note is taken before the attempt starts, so that there is some on a full disk.
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

from bai.runtime.engines.end import End
from bai.runtime.engines.paths import attempt_folder
from bai.runtime.errors import StateError
from bai.runtime.provider.records import ExecutionState, JobError
from bai.runtime.provider.row_mapping import now, stamp
from bai.runtime.provider.store import Store

RECORD_SECONDS = 600
"""How long to try to write the database; after that, the next command does."""

_NOTE = "end.json"
_NOTE_BYTES = 4096
_MESSAGE_CHARACTERS = 300
"""What a note keeps of a message that is too long: JSON makes at most twelve bytes of each."""


class NotedEnd(NamedTuple):
    """An end that the database does not know yet."""

    end: End
    time: datetime


def reserve_note(folder: Path) -> None:
    """Take the room for a note in an attempt's folder; one that is there stays.

    Raises:
        OSError: there is no room.
    """
    handle = os.open(folder / _NOTE, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        if os.fstat(handle).st_size < _NOTE_BYTES:
            # Bytes that are written are there; a size alone promises nothing.
            os.pwrite(handle, bytes(_NOTE_BYTES), 0)
            os.fsync(handle)
    finally:
        os.close(handle)


def noted_end(folder: Path) -> NotedEnd | None:
    """Return the end that is noted in an attempt's folder; None if none is."""
    try:
        kept = json.loads((folder / _NOTE).read_bytes().rstrip(b"\0"))
        errors = tuple(JobError(**error) for error in kept["errors"])
        end = End(ExecutionState(kept["state"]), kept["exit_code"], errors)
        return NotedEnd(end, datetime.fromisoformat(kept["time"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record(store: Store, uuid: str, end: End) -> None:
    """Record the end of an attempt, if it has not ended.

    While the database can't be written, the end is in the note, where whoever waits for the job
    finds it, and this waits for `RECORD_SECONDS`.
    """
    deadline = time.monotonic() + RECORD_SECONDS
    while not record_once(store, uuid, end) and time.monotonic() < deadline:
        time.sleep(1)


def record_once(store: Store, uuid: str, end: End) -> bool:
    """Record the end of an attempt, or the one that is noted; False if only in the note."""
    folder = attempt_folder(store.folder, uuid)
    noted = noted_end(folder)
    end, ended = noted or (end, None)
    try:
        store.attempts.finish(uuid, end.state, end.exit_code, end.errors, ended)
    except StateError:
        if not noted:
            _note(folder, end)
        return False
    return True


def _note(folder: Path, end: End) -> None:
    text = _text(end)
    if len(text) > _NOTE_BYTES:
        cut = (JobError(e.code, e.message[:_MESSAGE_CHARACTERS]) for e in end.errors[:1])
        text = _text(replace(end, errors=tuple(cut)))
    # The attempt may have been deleted, or be one from before there were notes.
    with contextlib.suppress(OSError):
        handle = os.open(folder / _NOTE, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.pwrite(handle, text, 0)
            os.fsync(handle)
        finally:
            os.close(handle)


def _text(end: End) -> bytes:
    return json.dumps(asdict(end) | {"time": stamp(now())}).encode()
