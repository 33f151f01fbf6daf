"""A job, in the hands of a person."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bai.compiler.resources.ids import ResourceId
from bai.logs import LogLine, read_logs
from bai.runtime.engines.layout import Layout
from bai.runtime.errors import NotFoundError
from bai.runtime.provider.base import Provider
from bai.runtime.provider.live import Attempt, Event, ExecutionState, JobError

POLL_SECONDS = 0.1
RECONCILE_SECONDS = 2.0
"""How often a waiting process looks for killed supervisors."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a script reported at one moment."""

    time: float
    """Seconds since 1970."""
    values: dict[str, float] = field(default_factory=dict)
    step: int | None = None
    total: int | None = None
    rank: int | None = None


class JobHandle:
    """One attempt of a job: its state, logs, metrics and outputs."""

    def __init__(self, provider: Provider, state: Path, id: ResourceId, attempt: Attempt) -> None:
        """Handle one attempt; `bai.connect().job(name)` gives the newest one."""
        self._provider = provider
        self._state = state
        self.id = id
        self._uuid = attempt.uuid
        self._reconciled = time.monotonic()

    @property
    def name(self) -> str:
        """The job's name."""
        return self.id.name

    @property
    def attempt(self) -> Attempt:
        """The attempt as it is now."""
        if time.monotonic() - self._reconciled > RECONCILE_SECONDS:
            self._provider.reconcile()
            self._reconciled = time.monotonic()
        return self._provider.attempt(self._uuid)

    @property
    def state(self) -> ExecutionState:
        """queued, running, terminating, succeeded or failed."""
        return self.attempt.state

    @property
    def exit_code(self) -> int | None:
        """The job's exit code; None before its end, and if it was stopped."""
        return self.attempt.exit_code

    @property
    def errors(self) -> Sequence[JobError]:
        """Why it failed."""
        return self.attempt.errors

    @property
    def layout(self) -> Layout:
        """Where its files are."""
        return Layout.of_attempt(self._state, self.attempt)

    @property
    def log_folder(self) -> Path:
        """The folder of its logs."""
        return self.layout.stdouterr

    @property
    def outputs(self) -> dict[str, Path]:
        """Id -> folder of each output."""
        return self.layout.outputs

    def wait(self, timeout: float | None = None) -> JobHandle:
        """Wait for the end, at most `timeout` seconds, and return this job.

        Raises:
            TimeoutError: it has not ended in time; it goes on.
        """
        return self._wait(lambda state: state.ended, timeout)

    def wait_started(self, timeout: float | None = None) -> JobHandle:
        """Wait until it is not queued any more, at most `timeout` seconds.

        Raises:
            TimeoutError: it is queued still.
        """
        return self._wait(lambda state: state is not ExecutionState.QUEUED, timeout)

    def _wait(self, reached: Callable[[ExecutionState], bool], timeout: float | None) -> JobHandle:
        deadline = None if timeout is None else time.monotonic() + timeout
        while not reached(state := self.state):
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"the job {self.name} is {state} after {timeout:g} s")
            time.sleep(POLL_SECONDS)
        return self

    def logs(self, *, follow: bool = False, rank: int | None = None) -> Iterator[LogLine]:
        """Iterate over the log lines; with `follow`, until the job has ended."""
        return (line for line in self.poll_logs(follow=follow, rank=rank) if line is not None)

    def poll_logs(
        self, *, follow: bool = False, rank: int | None = None
    ) -> Iterator[LogLine | None]:
        """Iterate like `logs`, with a None each time that there is nothing new."""
        return read_logs(self.log_folder, lambda: self.state.ended, follow=follow, rank=rank)

    def metrics(self, *, follow: bool = False) -> Iterator[Metrics]:
        """Iterate over what the script has reported; with `follow`, until the job has ended."""
        seen = 0
        while True:
            # Asked before each look, so that nothing is lost.
            final = not follow or self.state.ended
            for line in self._metric_lines()[seen:]:
                seen += 1
                try:
                    yield Metrics(**json.loads(line))
                except (ValueError, TypeError):
                    # Something else wrote to the file.
                    continue
            if final:
                return
            time.sleep(POLL_SECONDS)

    def _metric_lines(self) -> list[str]:
        """Return the whole lines of the metrics file."""
        try:
            return self.layout.metrics.read_text("utf-8", "replace").split("\n")[:-1]
        except (FileNotFoundError, NotFoundError):
            return []

    def final_metrics(self) -> dict[str, float]:
        """Return the newest value of each metric."""
        return {name: value for each in self.metrics() for name, value in each.values.items()}

    def events(self, after: int = 0) -> Sequence[Event]:
        """Return what happened to the attempt."""
        return self._provider.events(self._uuid, after)

    def cancel(self) -> None:
        """Ask for the end of the job, with all its processes."""
        self._provider.terminate(self.id)

    def __repr__(self) -> str:
        attempt = self.attempt
        return f"<Job {self.name}: {attempt.state}, attempt {attempt.number}>"
