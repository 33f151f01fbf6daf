"""The metrics of one attempt of a job, from all places where it leaves them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final

from bai.directory import Directory
from bai.event_files import event_files, is_readable, read_scalars
from bai.metric_points import MetricPoint, read_points
from bai.runtime.errors import StorageError
from bai.runtime.jobs.files import Files

UNREAD: Final = (
    "its TensorBoard event files can't be read without TensorBoard: "
    "`pip install 'bai[tensorboard]'`"
)


def attempt_points(
    files: Files, directories: Mapping[str, Directory], name: str, tell: Callable[[str], object]
) -> Iterator[MetricPoint]:
    """Iterate over the metrics of an attempt.

    Args:
        files: the attempt's.
        directories: id -> directory, where there may be event files.
        name: what the job is called in the table.
        tell: takes a sentence about what can't be read.
    """
    try:
        found = event_files(directories)
    except StorageError as error:
        tell(f"its TensorBoard event files can't be read: {error}")
        found = ()
    if found and not is_readable():
        tell(UNREAD)
        found = ()
    return read_points(files, name, chain.from_iterable(map(read_scalars, found)))
