"""Jobs while they run: phases, log lines, and a progress line at the bottom of a terminal."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from typing import IO

from bai.cli.render.style import RANKS, Style
from bai.cli.render.table import STATE_COLOURS, duration
from bai.job import JobHandle, Metrics
from bai.logs import LogLine
from bai.runtime.errors import NotFoundError

REFRESH_SECONDS = 0.2


class LiveView:
    """Writes what happens to jobs, and keeps one status line below it on terminals."""

    def __init__(self, jobs: Sequence[JobHandle], out: IO[str] = sys.stdout) -> None:
        """Show some jobs."""
        self._jobs = jobs
        self._out = out
        self._style = Style(out)
        self._status = out.isatty()
        self._shown = False
        self._begun = time.monotonic()
        self._events = dict.fromkeys((job.id for job in jobs), 0)
        self._drawn = 0.0

    def follow(self) -> None:
        """Write everything until all jobs have ended."""
        streams = {job.id: job.poll_logs(follow=True) for job in self._jobs}
        try:
            while streams:
                for job in self._jobs:
                    if job.id in streams and not self._advance(job, streams[job.id]):
                        del streams[job.id]
                self._draw()
        finally:
            self._clear()

    def _advance(self, job: JobHandle, stream: Iterator[LogLine | None]) -> bool:
        """Write what is new of a job; False once there will be no more."""
        self._write_events(job)
        for number, line in enumerate(stream):
            if line is None:
                return True
            if number == 0:
                # What was written may belong to a phase that began since.
                self._write_events(job)
            self._write_line(job, line)
        self._write_events(job)
        return False

    def _write_events(self, job: JobHandle) -> None:
        for event in job.events(self._events[job.id]):
            self._events[job.id] = event.sequence
            if event.kind == "phase":
                self._write(self._style(f"{self._name(job)}{event.message}", "dim"))
            elif event.kind == "state" and event.message == "queued":
                self._write(self._style(f"{self._name(job)}queued", "dim"))

    def _write_line(self, job: JobHandle, line: LogLine) -> None:
        label = line.source or ""
        if line.rank is not None:
            label = self._style(str(line.rank), RANKS[line.rank % len(RANKS)])
        words = [job.name] if len(self._jobs) > 1 else []
        words += [label] if label else []
        bar = self._style("|", "red" if line.stream == "stderr" else "dim")
        self._write(" ".join([*words, bar, line.text]) if words else line.text)

    def _name(self, job: JobHandle) -> str:
        return f"{job.name}: " if len(self._jobs) > 1 else ""

    def _write(self, line: str) -> None:
        self._clear()
        self._out.write(f"{line}\n")
        self._out.flush()

    def _draw(self) -> None:
        if not self._status or time.monotonic() - self._drawn < REFRESH_SECONDS:
            return
        self._drawn = time.monotonic()
        parts = [status(job.name, job.state.value, list(job.metrics())) for job in self._jobs]
        text = f"{duration(time.monotonic() - self._begun)}  {'   '.join(parts)}"
        width = shutil.get_terminal_size().columns - 1
        self._clear()
        self._out.write(self._style(text[:width], "bold"))
        self._out.flush()
        self._shown = True

    def _clear(self) -> None:
        if self._shown:
            self._out.write("\r\x1b[2K")
            self._shown = False


def status(name: str, state: str, metrics: list[Metrics]) -> str:
    """Return the progress of a job in a few words: name, bar, newest values."""
    words = [name]
    newest = metrics[-1] if metrics else None
    if newest and newest.step is not None and newest.total:
        full = min(10, newest.step * 10 // newest.total)
        words.append(f"{'█' * full}{'░' * (10 - full)} {newest.step}/{newest.total}")
    elif newest and newest.step is not None:
        words.append(f"step {newest.step}")
    else:
        words.append(state)
    if newest:
        words += [f"{name} {value:.4g}" for name, value in newest.values.items()]
    return "  ".join(words)


def summary(job: JobHandle, out: IO[str] = sys.stdout) -> None:
    """Write how a job ended, and where its logs and outputs are."""
    style, attempt = Style(out), job.attempt
    state = style(attempt.state.value, STATE_COLOURS[attempt.state.value], "bold")
    took = ""
    if attempt.started and attempt.ended:
        took = f" in {duration((attempt.ended - attempt.started).total_seconds())}"
    code = "" if attempt.exit_code is None else f", exit code {attempt.exit_code}"
    out.write(f"job/{job.name} {state}{took}{code}\n")
    for error in attempt.errors:
        out.write(f"  {style(error.code, 'red')}: {error.message}\n")
    try:
        folders = {name.lower(): path for name, path in job.outputs.items()}
        folders["logs"] = job.log_folder
    except NotFoundError as error:
        out.write(f"  {error}\n")
        return
    if values := job.final_metrics():
        shown = "  ".join(f"{name} {value:.4g}" for name, value in values.items())
        out.write(f"  metrics   {shown}\n")
    for name, path in folders.items():
        out.write(f"  {name:<9} {path}\n")
