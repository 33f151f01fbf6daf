"""Checking many files, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from bai.linter.driver.discovery import find_files
from bai.linter.driver.linter import Checked, Linter

_CHUNK: Final = 32
"""Files that a process checks before it reports."""


def lint_files(
    paths: Sequence[str], linter: Linter, processes: int | None = None
) -> Iterator[Checked]:
    """Iterate over the findings of files and of all files in folders, in their order.

    Args:
        paths: files and folders; the cluster file of the options, if there is one, comes last.
        linter: what checks them.
        processes: how many to use at most; None for one for each core.

    Raises:
        ContextError: the settings, the context or the cluster file are not valid.
        FindingsError: the cluster file has syntax errors.
    """
    # The cluster's own file is checked, too.
    beside = (linter.options.cluster,) if linter.options.cluster else ()
    files = list(find_files((*paths, *beside)))
    most = len(os.sched_getaffinity(0)) if processes is None else processes
    wanted = min(most, len(files) // _CHUNK)
    if wanted < 2:
        for start in range(0, len(files), _CHUNK):
            yield from linter.several(files[start : start + _CHUNK])
        return
    from bai.linter.driver.workers import spread

    # The modules for the first file are imported before the processes are forked.
    first, *rest = files
    yield linter.file(first[0], named=first[1])
    chunks = [rest[start : start + _CHUNK] for start in range(0, len(rest), _CHUNK)]
    for checked in spread(linter.several, chunks, wanted):
        yield from checked
