"""Where to begin to read the end of an attempt's logs, so that its lines are whole and in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bai.log_lines import LogName
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.files import LOG_ORDER, LOGS, RECORDS, Files
from bai.runtime.jobs.log_order import read_run

_BLOCK: Final = 1 << 14
"""Bytes that are read at once to find the beginning of a line."""
_STEP: Final = 4
"""How much more of the record is looked at if its end is too little."""


@dataclass(frozen=True, slots=True)
class Start:
    """Where a reader of logs begins: at their beginning, unless it says otherwise."""

    order: int = 0
    """Offset in the record of their order."""
    logs: Mapping[str, int] = field(default_factory=dict)
    """Name of a log -> the offset in it."""


BEGINNING: Final = Start()


def near_the_end(files: Files, size: int) -> Start:
    """Return where to begin to read at least the last bytes of all logs together.

    A reader that begins there gives the lines that one from the beginning gives from then on.

    Args:
        files: the files of the attempt.
        size: how many bytes to read at least; `BEGINNING` is returned if there are not more.
    """
    sizes = _sizes(files)
    record = _record(files)
    place, back = len(record), _BLOCK
    while _left(sizes, read := _read_at(record, place, sizes)) < size and place:
        place = record.rfind(b"\n", 0, max(0, len(record) - back)) + 1
        back *= _STEP
    skipped = _left(sizes, read) - size
    if not place and skipped <= 0:
        return BEGINNING
    for name, until, end in _runs(record, place, sizes):
        step = min(max(0, until - read[name]), max(0, skipped))
        read[name] += step
        skipped -= step
        if skipped <= 0 and read[name] < until:
            break
        place = end
    begun = {name: _line_start(files, name, offset) for name, offset in read.items()}
    return Start(place, begun)


def _sizes(files: Files) -> dict[str, int]:
    """Return the size of each log, in the order in which unrecorded ends of logs are read."""
    try:
        found = [
            (log.order, entry)
            for entry in files.list(LOGS)
            if not entry.is_directory and (log := LogName.parse(entry.name))
        ]
    except NotFoundError:
        return {}
    return {entry.name: entry.size for _, entry in sorted(found, key=lambda each: each[0])}


def _record(files: Files) -> bytes:
    """Return the whole lines of the record."""
    try:
        record = files.read(RECORDS, LOG_ORDER)
    except NotFoundError:
        return b""
    return record[: record.rfind(b"\n") + 1]


def _left(sizes: Mapping[str, int], read: Mapping[str, int]) -> int:
    return sum(size - read[name] for name, size in sizes.items())


def _read_at(record: bytes, place: int, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return how far each log has been read once the record has been read up to a place."""
    return {name: min(size, _last_run(record, place, name)) for name, size in sizes.items()}


def _last_run(record: bytes, place: int, name: str) -> int:
    """Return where the last run of a log ends that is recorded before a place; 0 if none is."""
    while (found := record.rfind(b" %b\n" % name.encode(), 0, place)) >= 0:
        begin = record.rfind(b"\n", 0, found) + 1
        run = read_run(record[begin : found + 1 + len(name.encode())])
        if run and run[0] == name:
            return run[1]
        place = begin
    return 0


def _runs(record: bytes, place: int, sizes: Mapping[str, int]) -> Iterator[tuple[str, int, int]]:
    """Iterate over what is read from a place of the record on.

    Yields:
        The name of a log, how far it is read then, and where the record goes on.
    """
    while place < len(record):
        end = record.index(b"\n", place) + 1
        run = read_run(record[place : end - 1])
        place = end
        if run and run[0] in sizes:
            yield run[0], min(run[1], sizes[run[0]]), place
    for name, size in sizes.items():
        yield name, size, place


def _line_start(files: Files, name: str, offset: int) -> int:
    """Return where the line begins that an offset in a log is in."""
    while offset > 0:
        begin = max(0, offset - _BLOCK)
        block = files.read(LOGS, name, begin, offset - begin)
        if newline := block.rfind(b"\n") + 1:
            return begin + newline
        offset = begin
    return 0
