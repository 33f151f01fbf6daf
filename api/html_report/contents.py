"""What a report shows of a job, and of a sweep: plain values for the template."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from bai.compiler.emit.yaml_form import yaml_text
from bai.compiler.importer.spec_form import spec_form
from bai.directory import Directory
from bai.handle import JobHandle
from bai.runtime.errors import NotFoundError, StorageError
from bai.runtime.jobs.records import Event, JobError, LiveResource
from bai.runtime.live_wire import to_live_wire
from bai.specs.words import counted, duration, sized

_LAST_LINES: Final = 40
"""Log lines that are shown of each job."""
_MOST_FILES: Final = 200
"""Files that are listed of each directory."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A line about a job: what, and its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class LogTail:
    """The end of what a job's processes wrote."""

    title: str
    lines: Sequence[str]
    is_culprit: bool
    """Whether these are the lines of what made the job fail."""


@dataclass(frozen=True, slots=True)
class Files:
    """What is in a directory that the job has written."""

    name: str
    """`logs`, or the id of an output."""
    address: str
    rows: Sequence[tuple[str, str]]
    """Path and size of the first files."""
    count: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class JobContents:
    """One attempt of a job."""

    label: str
    outcome: str
    errors: Sequence[JobError]
    facts: Sequence[Fact]
    tail: LogTail | None
    spec: str
    """What a spec says to declare the job, as YAML."""
    wire: str
    """Batch AI's form of it, as JSON."""
    events: Sequence[Event]
    files: Sequence[Files]


def contents_of(job: JobHandle) -> JobContents:
    """Return what a report shows of an attempt.

    Raises:
        NotFoundError: the job was deleted.
    """
    attempt = job.attempt
    properties = job.provider.properties(attempt.uuid)
    wire = {"properties": properties}
    live = LiveResource(job.id, wire, attempt.created, attempt)
    return JobContents(
        label=job.label,
        outcome=attempt.outcome,
        errors=attempt.errors,
        facts=list(_facts(job, properties)),
        tail=_tail(job),
        spec=yaml_text(spec_form(job.id, wire)),
        wire=json.dumps(to_live_wire(live, job.provider), indent=2, ensure_ascii=False),
        events=job.events(),
        files=list(_files(job)),
    )


def stamp(time: datetime) -> str:
    """Return a time for people: `2026-11-02 14:05:01 +01:00`."""
    return time.astimezone().isoformat(sep=" ", timespec="seconds")


def _facts(job: JobHandle, properties: Mapping[str, Any]) -> Iterator[Fact]:
    attempt = job.attempt
    nodes = properties["nodeCount"]
    yield Fact("attempt", f"{attempt.number} ({attempt.uuid})")
    yield Fact("size", f"{counted(nodes, 'node')}, {_processes(attempt.process_count)}")
    yield Fact("cluster", attempt.cluster.name)
    if attempt.nodes:
        names = [each if isinstance(each, str) else f"node-{each}" for each in attempt.nodes]
        yield Fact("nodes", ", ".join(names))
    yield Fact("submitted", stamp(attempt.created))
    if attempt.started:
        waited = (attempt.started - attempt.created).total_seconds()
        yield Fact("started", f"{stamp(attempt.started)}, after {duration(waited)}")
    if attempt.started and attempt.ended:
        yield Fact("took", duration((attempt.ended - attempt.started).total_seconds()))
    if attempt.exit_code is not None:
        yield Fact("exit code", str(attempt.exit_code))


def _processes(count: int) -> str:
    return counted(count, "process", "processes")


def _tail(job: JobHandle) -> LogTail | None:
    """Return the last lines of what made the job fail, else of all; None if there are none."""
    try:
        if lines := job.last_lines(_LAST_LINES):
            title = f"Last lines of {_process(job)}"
            return LogTail(title, [line.text for line in lines], is_culprit=True)
        lines = list(job.logs(tail=_LAST_LINES))
    except (NotFoundError, StorageError):
        return None
    return LogTail("Last lines", [str(line) for line in lines], is_culprit=False) if lines else None


def _process(job: JobHandle) -> str:
    """Return in words what made the job fail."""
    name = job.culprit or ""
    if not job.processes[1:] and name in job.processes:
        return "its process"
    return f"{f'rank {name}' if name.isdecimal() else name}, which failed first"


def _files(job: JobHandle) -> Iterator[Files]:
    try:
        places = {"logs": job.log_files, **job.outputs}
    except NotFoundError:
        return
    for name, directory in places.items():
        try:
            yield _listed(name, directory)
        except StorageError:
            # What can't be read now is no reason for no report.
            continue


def _listed(name: str, directory: Directory) -> Files:
    found = [each for each in directory.list(recursive=True) if not each.is_directory]
    rows = [(each.name, sized(each.size)) for each in found[:_MOST_FILES]]
    return Files(name, directory.address, rows, len(found))
