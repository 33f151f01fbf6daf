"""What Horovod did for how long, from the timeline that it records.

The file has events of Chrome's trace format, a "process" for each tensor: activities begin (B) and
end (E), one inside the other. Source: docs/timeline.rst of Horovod.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from bai.compiler.resources.reserved import TIMELINE_FILE, TIMELINE_OUTPUT
from bai.handle import JobHandle
from bai.html_report.template import Table
from bai.runtime.errors import NotFoundError, StorageError
from bai.specs.words import sized

_MOST_BYTES: Final = 64 << 20
"""A larger file is left to tools that are made for it."""
_MICROSECONDS: Final = 1e6


@dataclass(slots=True)
class Activity:
    """All that Horovod did under one name, for all tensors together."""

    name: str
    """`ALLREDUCE`, say. `NEGOTIATE_ALLREDUCE` is the wait until all ranks have the tensor."""
    count: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    """Seconds of the longest one."""

    def add(self, seconds: float) -> None:
        """Count one more."""
        self.count += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)


def activities(data: bytes) -> list[Activity]:
    """Return the activities in a timeline, those that took longest first.

    Args:
        data: the file, which need not have an end: Horovod writes it while it runs.
    """
    begun: dict[Any, list[tuple[str, float]]] = {}
    found: dict[str, Activity] = {}
    for event in _events(data.decode("utf-8", "replace")):
        match event:
            case {"ph": "B", "name": str(name), "pid": tensor, "ts": int() | float() as time}:
                begun.setdefault(tensor, []).append((name, time))
            case {"ph": "E", "pid": tensor, "ts": int() | float() as time} if begun.get(tensor):
                name, start = begun[tensor].pop()
                found.setdefault(name, Activity(name)).add((time - start) / _MICROSECONDS)
    return sorted(found.values(), key=lambda each: -each.seconds)


def _events(text: str) -> Iterator[Mapping[str, Any]]:
    """Iterate over the events of a file; of one that breaks off, over the whole ones."""
    try:
        events = json.loads(text)
    except ValueError:
        try:
            events = json.loads(f"{text[: text.rfind('},') + 1]}]")
        except ValueError:
            return
    if isinstance(events, list):
        yield from (event for event in events if isinstance(event, dict))


def timeline_table(job: JobHandle) -> Iterator[Table]:
    """Iterate over the table of Horovod's activities, if the job keeps its timeline."""
    # Files that are gone, or in real storage, are no reason for no report.
    with suppress(NotFoundError, StorageError):
        output = job.outputs.get(TIMELINE_OUTPUT)
        sizes = {each.name: each.size for each in output.list()} if output else {}
        if output is None or TIMELINE_FILE not in sizes:
            return
        title, head = "Horovod's timeline", ["activity", "times", "seconds", "longest, ms"]
        if sizes[TIMELINE_FILE] > _MOST_BYTES:
            note = f"{TIMELINE_FILE} has {sized(sizes[TIMELINE_FILE])}: look at it in a browser."
            yield Table(title, head, (), note)
            return
        rows = [
            [each.name, str(each.count), f"{each.seconds:.4g}", f"{1000 * each.longest:.4g}"]
            for each in activities(output.read(TIMELINE_FILE))
        ]
        note = (
            "Seconds of all tensors together, as rank 0 saw them. NEGOTIATE is the wait until all "
            f"ranks have a tensor. The output {TIMELINE_OUTPUT} has all of it, for a browser."
        )
        yield Table(title, head, rows, note)
