"""The journal of a run: all that its supervisor reports, in a file of the attempt's folder.

Only the run's supervisor writes it, and its guardian once that is gone. Whoever holds the database
imports it; whoever may only read applies what is not imported yet in memory. Each record is one
line of JSON. Times are the writer's.

Disk space for the end is reserved before a run is claimed, so that a full disk can't swallow it:
the file always ends with some NUL bytes, which the next records are written over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Protocol

from bai.runtime.jobs.records import End, ExecutionState, JobError, NodeName, Phase, StopReason

RESERVED: Final = 4096
"""Bytes that are kept free for the record of the end."""
_MESSAGE_CHARACTERS: Final = 300
"""How much is kept of a long message on a full disk: JSON needs at most twelve bytes for each."""


class Journal(Protocol):
    """Where a supervisor reports, and asks whether to go on."""

    def phase(self, phase: Phase) -> None:
        """Report what the run does now."""

    def event(self, kind: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        """Report something that happened: `rank`, `note`, `error` or `report`."""

    def stop_reason(self) -> StopReason | None:
        """Return why the run shall end now; None if it shall go on."""

    def end(self, end: End) -> None:
        """Report how the run ended; only the first report counts."""


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a journal."""

    time: datetime
    kind: str
    """`claimed`, `phase`, `end`, or the kind of an event."""
    message: str
    data: Mapping[str, Any] = field(default_factory=dict)

    def as_end(self) -> End:
        """Return the end that a record of kind `end` holds.

        Raises:
            ValueError, KeyError, TypeError: it holds none.
        """
        errors = tuple(JobError(**error) for error in self.data["errors"])
        return End(ExecutionState(self.message), self.data["exit_code"], errors)


def journal_file(folder: Path, run: int) -> Path:
    """Return the path of a run's journal in an attempt's folder."""
    return folder / f"journal-{run}.jsonl"


def stop_file(folder: Path, run: int) -> Path:
    """Return the path of the link that asks a run to end; it points to the reason.

    A link is made in one step, word and all, and without disk space.
    """
    return folder / f"stop-{run}"


def ask_to_stop(folder: Path, run: int, reason: StopReason) -> None:
    """Ask a run to end; the first reason counts.

    Raises:
        OSError: the folder can't be written.
    """
    with suppress(FileExistsError):
        stop_file(folder, run).symlink_to(reason)


def claim(folder: Path, run: int) -> bool:
    """Claim a run: True for the one process that may run it, for all time.

    Raises:
        OSError: the folder can't be written.
    """
    try:
        handle = os.open(_claim_file(folder, run), os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
    except FileExistsError:
        return False
    os.fsync(handle)
    os.close(handle)
    return True


def is_claimed(folder: Path, run: int) -> bool:
    """Return whether a process has claimed a run."""
    return _claim_file(folder, run).exists()


def _claim_file(folder: Path, run: int) -> Path:
    return folder / f"claim-{run}"


class FileJournal:
    """A journal that is being written."""

    def __init__(self, folder: Path, run: int) -> None:
        """Open the journal of a run, behind what it holds already.

        Raises:
            OSError: it can't be made, or the disk has no room for the end of the run.
        """
        self._stop = stop_file(folder, run)
        self._handle = os.open(
            journal_file(folder, run), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
        )
        try:
            self._offset = _written(os.pread(self._handle, os.fstat(self._handle).st_size, 0))
            self._reserve(self._offset + RESERVED)
        except BaseException:
            os.close(self._handle)
            raise

    def _reserve(self, size: int) -> None:
        have = os.fstat(self._handle).st_size
        if have < size:
            # Only written bytes have disk space; a size alone may not.
            written = os.pwrite(self._handle, bytes(size - have), have)
            if written < size - have:
                os.pwrite(self._handle, bytes(size - have - written), have + written)

    def phase(self, phase: Phase) -> None:
        """Report what the run does now."""
        self._add("phase", phase)

    def event(self, kind: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        """Report something that happened: `rank`, `note`, `error` or `report`."""
        self._add(kind, message, data)

    def stop_reason(self) -> StopReason | None:
        """Return why the run shall end now; None if it shall go on.

        A run whose journal was removed, with its attempt, is cancelled.
        """
        try:
            return StopReason(str(self._stop.readlink()))
        except FileNotFoundError:
            is_removed = os.fstat(self._handle).st_nlink == 0
            return StopReason.CANCEL if is_removed else None

    def claimed(self, handle: str, nodes: Sequence[NodeName] = ()) -> None:
        """Report that a supervisor has claimed the run.

        Args:
            handle: what the engine finds the supervisor by.
            nodes: the nodes of the run.
        """
        self._add("claimed", handle, {"nodes": list(nodes)})

    def end(self, end: End) -> None:
        """Report how the run ended."""
        line = _line("end", end.state, _end_data(end))
        if len(line) > RESERVED:
            cut = (replace(e, message=e.message[:_MESSAGE_CHARACTERS]) for e in end.errors[:1])
            short = replace(end, errors=tuple(replace(e, details={}) for e in cut))
            line = _line("end", end.state, _end_data(short))
        os.pwrite(self._handle, line, self._offset)
        self._offset += len(line)
        os.fsync(self._handle)

    def close(self) -> None:
        """Close the file."""
        os.close(self._handle)

    def _add(self, kind: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        line = _line(kind, message, data or {})
        try:
            self._reserve(self._offset + len(line) + RESERVED)
        except OSError:
            # The disk is full: what happens meanwhile is lost, how the run ends is not.
            return
        os.pwrite(self._handle, line, self._offset)
        self._offset += len(line)


def read_journal(folder: Path, run: int, offset: int = 0) -> tuple[list[Record], int]:
    """Return the records of a journal behind an offset in bytes, and the offset of the next one.

    Raises:
        OSError: it can't be read.
    """
    try:
        with journal_file(folder, run).open("rb") as file:
            file.seek(offset)
            data = file.read()
    except FileNotFoundError:
        return [], offset
    data = data[: _written(data)]
    found = (_record(line) for line in data.splitlines())
    return [record for record in found if record], offset + len(data)


def reported_end(folder: Path, run: int) -> End | None:
    """Return the end that a run has reported; None if none.

    Raises:
        OSError: its journal can't be read.
    """
    records, _ = read_journal(folder, run)
    return next((record.as_end() for record in records if record.kind == "end"), None)


def _written(data: bytes) -> int:
    """Return the length of the whole lines at the beginning of a journal's bytes."""
    end = data.find(b"\0")
    return data.rfind(b"\n", 0, end if end >= 0 else len(data)) + 1


def _line(kind: str, message: str, data: Mapping[str, Any]) -> bytes:
    time = datetime.now(UTC).isoformat(timespec="microseconds")
    return json.dumps([time, kind, message, dict(data)]).encode() + b"\n"


def _record(line: bytes) -> Record | None:
    try:
        time, kind, message, data = json.loads(line)
        return Record(datetime.fromisoformat(time), kind, message, data)
    except (ValueError, TypeError):
        # Half a line, of a machine that lost its power.
        return None


def _end_data(end: End) -> dict[str, Any]:
    found = asdict(end)
    del found["state"]
    return found
