"""The scalars of TensorBoard's event files, wherever a job has written them.

An event file is a row of records, each with its length and two checksums around it
(https://www.tensorflow.org/tutorials/load_data/tfrecord), of messages that TensorBoard itself knows
how to read.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, BinaryIO, Final

from bai.directory import Directory

_HEADER: Final = struct.Struct("<QI")
_CHECKSUM: Final = 4
_LONGEST: Final = 1 << 30
_MARK: Final = "tfevents"
_SCALARS: Final = "scalars"


@dataclass(frozen=True, slots=True)
class EventFile:
    """One file of events."""

    directory: Directory
    path: str
    run: str
    """What TensorBoard calls the folder that it is in; empty for the directory itself."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One value of an event file."""

    name: str
    """The run and the tag: `train/epoch_loss`."""
    step: int
    time: float
    """Seconds since 1970."""
    value: float


def is_readable() -> bool:
    """Return whether TensorBoard is installed, which reads these files."""
    return find_spec("tensorboard") is not None


def event_files(directories: Mapping[str, Directory]) -> Sequence[EventFile]:
    """Return the event files of some directories, by their names.

    Args:
        directories: id -> directory. Where several have event files, runs begin with the id.
            Outputs that are one folder count once.
    """
    by_address = {directory.address: id for id, directory in reversed(list(directories.items()))}
    found = {
        id: [
            entry.name
            for entry in directory.list(recursive=True)
            if not entry.is_directory and _MARK in entry.name.rpartition("/")[2]
        ]
        for id, directory in directories.items()
        if by_address[directory.address] == id
    }
    several = sum(map(bool, found.values())) > 1
    return [
        EventFile(directories[id], path, _run(id if several else "", path))
        for id, paths in found.items()
        for path in sorted(paths)
    ]


def _run(id: str, path: str) -> str:
    folder = path.rpartition("/")[0]
    return "/".join(filter(None, (id, folder)))


def read_scalars(file: EventFile) -> Iterator[Scalar]:
    """Iterate over the scalars of a file, up to where it is whole.

    Raises:
        ModuleNotFoundError: TensorBoard is not installed.
        NotFoundError, StorageError: it is gone, or can't be read.
    """
    from google.protobuf.message import DecodeError
    from tensorboard.compat.proto.event_pb2 import Event

    prefix = f"{file.run}/" if file.run else ""
    with file.directory.open(file.path) as source:
        for record in _records(source):
            try:
                event = Event.FromString(record)
            except DecodeError:
                # What follows such a record is not to be trusted.
                return
            for each in event.summary.value:
                if (value := _value(each)) is not None:
                    yield Scalar(f"{prefix}{each.tag}", event.step, event.wall_time, value)


def _records(source: BinaryIO) -> Iterator[bytes]:
    """Iterate over whole records; the last one of a file that is being written may not be."""
    while len(header := source.read(_HEADER.size)) == _HEADER.size:
        length, _ = _HEADER.unpack(header)
        if length > _LONGEST:
            return
        data = source.read(length + _CHECKSUM)
        if len(data) < length + _CHECKSUM:
            return
        yield data[:length]


def _value(found: Any) -> float | None:
    """Return the number of a summary's value; None if that is none: an image, a histogram."""
    if found.HasField("simple_value"):
        return float(found.simple_value)
    if found.metadata.plugin_data.plugin_name == _SCALARS and found.HasField("tensor"):
        # NumPy, which takes long to import, is needed for what TensorFlow 2 writes only.
        from tensorboard.util.tensor_util import make_ndarray

        return float(make_ndarray(found.tensor).item())
    return None
