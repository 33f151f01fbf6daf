"""A job, in the hands of a person."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from bai.arguments import STREAMS, expect, expect_one_of, timeout_seconds
from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.short_names import ShortNames
from bai.directory import Directory
from bai.log_lines import LogLine
from bai.poll_interval import PollInterval
from bai.processes import first_failed, in_short, process_names
from bai.readers import LogReader
from bai.runtime.errors import MissingFileError, NotFoundError, WaitTimeoutError
from bai.runtime.jobs.files import LOGS, output
from bai.runtime.jobs.records import Attempt, Event, ExecutionState, JobError, Phase
from bai.runtime.jobs.waiting import Waiting
from bai.runtime.provider.base import Provider

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from bai.metric_points import MetricPoint
    from bai.metrics_reader import Metrics, MetricsReader

T = TypeVar("T")


class JobHandle:
    """One attempt of a job: its state, logs, metrics and outputs."""

    def __init__(self, provider: Provider, id: ResourceId, attempt: Attempt) -> None:
        """Handle one attempt; `bai.connect().job(name)` gives the newest one."""
        self.provider = provider
        self.id = id
        self._uuid = attempt.uuid
        self.report: Callable[[str], object] | None = None
        """Called with a sentence where a wait may have no end: no sign of the job's supervisor."""

    @property
    def name(self) -> str:
        """The job's name."""
        return self.id.name

    @property
    def label(self) -> str:
        """Its kind and the shortest name that finds it alone: `job/train`, `job/digits/train`."""
        return f"{self.id.kind.singular}/{shortest_name(self.id, self.provider)}"

    @property
    def attempt(self) -> Attempt:
        """The attempt as it is now.

        Raises:
            NotFoundError: the job was deleted.
        """
        try:
            return self.provider.attempt(self._uuid)
        except NotFoundError:
            raise NotFoundError(f"{self.label} was deleted") from None

    @property
    def state(self) -> ExecutionState:
        """queued, running, terminating, succeeded or failed, as in Batch AI.

        It is failed also where the job was cancelled, or stopped early by its sweep.
        """
        return self.attempt.state

    @property
    def outcome(self) -> str:
        """The state as commands show it: `cancelled` or `stopped early` in place of those."""
        return self.attempt.outcome

    @property
    def exit_code(self) -> int | None:
        """The job's exit code; None before its end, and if it was stopped."""
        return self.attempt.exit_code

    @property
    def errors(self) -> Sequence[JobError]:
        """Why it failed."""
        return self.attempt.errors

    @property
    def waiting(self) -> Waiting | None:
        """What it waits for while it is queued; `str()` is a sentence. None if for nothing."""
        return self.provider.waiting(self._uuid)

    @property
    def processes(self) -> tuple[str, ...]:
        """Names of its processes, as `logs` takes them: `0`, `1`; `wk-0`, `ps-0` of TensorFlow."""
        return process_names(self.provider.properties(self._uuid))

    @property
    def culprit(self) -> str | None:
        """What failed first and ended the job: one of its `processes`, or a node's preparation.

        None if it has not failed so, or if that is unknown.
        """
        return first_failed(self.errors, self.provider.properties(self._uuid))

    def last_lines(self, count: int) -> list[LogLine]:
        """Return the last log lines of the `culprit`; none if there is none.

        Raises:
            NotFoundError: the job's files are gone.
        """
        if (culprit := self.culprit) is None:
            return []
        reader = LogReader(self.provider.files(self._uuid), culprit, last=count)
        return list(reader.read(final=True))

    @property
    def log_files(self) -> Directory:
        """The files of its logs, by the names that Batch AI gives them."""
        return Directory(self.provider.files(self._uuid), LOGS)

    @property
    def outputs(self) -> dict[str, Directory]:
        """Id -> what it has written to each output."""
        files = self.provider.files(self._uuid)
        declared = self.provider.properties(self._uuid).get("outputDirectories") or ()
        return {each["id"]: Directory(files, output(each["id"])) for each in declared}

    def wait(self, timeout: float | str | None = None, begun: float | None = None) -> JobHandle:
        """Wait for the end, and return this job.

        Args:
            timeout: the longest wait, in seconds or as a text: `90s`, `1h30m`; None for no end.
            begun: the time (`time.monotonic()`) from which that counts, so that several jobs may
                share it; by default now.

        Raises:
            ValueError: the timeout is no length of time.
            WaitTimeoutError: it has not ended in time; it goes on.
        """
        return self._wait(lambda state: state.ended, timeout, begun)

    def wait_started(
        self, timeout: float | str | None = None, begun: float | None = None
    ) -> JobHandle:
        """Wait until it is not queued any more, at most as long as `wait` would.

        Raises:
            ValueError: the timeout is no length of time.
            WaitTimeoutError: it is queued still.
        """
        return self._wait(lambda state: state is not ExecutionState.QUEUED, timeout, begun)

    def _wait(
        self,
        reached: Callable[[ExecutionState], bool],
        timeout: float | str | None,
        begun: float | None,
    ) -> JobHandle:
        longest, since = timeout_seconds(timeout), time.monotonic() if begun is None else begun
        deadline = None if longest is None else since + longest
        interval = PollInterval(self.provider, self._report)
        while not reached((attempt := self.attempt).state):
            if deadline is not None and time.monotonic() > deadline:
                why = f"; it {waiting}" if (waiting := self.waiting) else ""
                name = shortest_name(self.id, self.provider)
                message = f"the job {name} is still {attempt.state} after {longest:g}s{why}"
                raise WaitTimeoutError(message)
            interval.wait([self._uuid])
        return self

    def logs(
        self,
        *,
        follow: bool = False,
        rank: int | str | None = None,
        stream: str | None = None,
        tail: int | None = None,
    ) -> Iterator[LogLine]:
        """Iterate over the log lines, in the order in which they were written.

        Args:
            follow: whether to wait for more, until the job has ended.
            rank: the only process to read: its rank, or its name among `processes`; None for all.
            stream: `stdout` or `stderr`, to read nothing else.
            tail: how many of the lines that are there already to read, the last ones; None for
                all. Little more of the logs is read than these.

        Raises:
            NotFoundError: the job has no such process, or its files are gone.
            ValueError: there is no such stream, or `tail` is below 0.
        """
        reader = self._checked_reader(rank, stream, tail)
        return self._read(lambda final: reader.read(final=final), follow=follow)

    def log_text(
        self,
        *,
        follow: bool = False,
        rank: int | str | None = None,
        stream: str | None = None,
        tail: int | None = None,
    ) -> Iterator[bytes]:
        """Iterate over the same lines as text in UTF-8, many at once: `LogReader.text`.

        It takes a fraction of the time of `logs`, and the same arguments.

        Raises:
            NotFoundError: the job has no such process, or its files are gone.
            ValueError: there is no such stream, or `tail` is below 0.
        """
        reader = self._checked_reader(rank, stream, tail)
        return self._read(lambda final: reader.text(final=final), follow=follow)

    def _checked_reader(
        self, rank: int | str | None, stream: str | None, tail: int | None
    ) -> LogReader:
        """Return a reader of logs that are not gone."""
        reader = self.log_reader(rank, stream, tail)
        try:
            self.provider.files(self._uuid).list(LOGS)
        except MissingFileError as error:
            if self._had_logs():
                raise NotFoundError(f"the logs of {self.id.label} are gone: {error}") from None
        return reader

    def log_reader(
        self, rank: int | str | None = None, stream: str | None = None, tail: int | None = None
    ) -> LogReader:
        """Return a reader of the log lines, or of those that `logs` would give.

        Raises:
            NotFoundError: the job has no such process, or its files are gone.
            ValueError: there is no such stream, or `tail` is below 0.
        """
        if stream is not None:
            expect_one_of(stream, STREAMS, "stream")
        if tail is not None:
            expect(tail, int, "tail must be a number of lines, an int")
            if tail < 0:
                raise ValueError("tail must be 0 or more")
        files = self.provider.files(self._uuid)
        if rank is not None and str(rank) not in (known := self.processes):
            message = f"{self.label} has no process {rank}: it has {in_short(known)}"
            raise NotFoundError(message)
        return LogReader(files, rank, stream, tail)

    def _had_logs(self) -> bool:
        """Return whether its log folder has been made: it is before these phases begin."""
        made = (Phase.PREPARING, Phase.RUNNING)
        return any(event.kind == "phase" and event.message in made for event in self.events())

    def metrics(self, *, follow: bool = False) -> Iterator[Metrics]:
        """Iterate over what the script has reported; with `follow`, until the job has ended."""
        try:
            reader = self.metrics_reader()
        except NotFoundError:
            return iter(())
        return self._read(lambda _: reader.read(), follow=follow)

    def metrics_reader(self) -> MetricsReader:
        """Return a reader of what the script reports.

        Raises:
            NotFoundError: the files of the attempt are gone.
        """
        from bai.metrics_reader import MetricsReader

        return MetricsReader(self.provider.files(self._uuid))

    def _read(self, read: Callable[[bool], Iterator[T]], *, follow: bool) -> Iterator[T]:
        interval = PollInterval(self.provider, self._report)
        while True:
            # Asked before each look, so that nothing is lost.
            attempt = self.attempt
            final, news = not follow or attempt.state.ended, False
            for each in read(final):
                news = True
                yield each
            if final:
                return
            interval.wait([self._uuid], news=news)

    def _report(self, _: str, sentence: str) -> None:
        if self.report:
            self.report(f"{self.label}: {sentence}")

    def final_metrics(self) -> dict[str, float]:
        """Return the newest value of each metric: rank 0's, where several ranks report it."""
        found: dict[str, float] = {}
        first: dict[str, float] = {}
        for each in self.metrics():
            found |= each.values
            if not each.rank:
                first |= each.values
        return found | first

    def metric_points(self) -> Iterator[MetricPoint]:
        """Iterate over all metrics, a value each: what the script reported, and bai measured.

        They come from reports, from TensorBoard's event files in outputs and logs, if TensorBoard
        is installed, and from what bai has measured of each rank. There are none if the files of
        the attempt are gone.
        """
        from bai.job_metrics import attempt_points

        try:
            files, directories = self.provider.files(self._uuid), self.event_directories
        except NotFoundError:
            return iter(())
        return attempt_points(files, directories, self._name_in_tables, self._tell)

    @property
    def event_directories(self) -> dict[str, Directory]:
        """Id -> where TensorBoard's event files may be: outputs, and the logs as `stdouterr`."""
        return {**self.outputs, "stdouterr": self.log_files}

    def _tell(self, sentence: str) -> None:
        """Say something about the job that is no reason to fail."""
        if self.report:
            self.report(f"{self.label}: {sentence}")
        else:
            warnings.warn(f"{self.label}: {sentence}", stacklevel=4)

    def metric_labels(self) -> Mapping[str, str]:
        """Return what the job is called in figures, by its name in `metric_points`."""
        return {self._name_in_tables: self._name_in_tables}

    def metrics_table(self) -> DataFrame:
        """Return a table of `metric_points`: job, rank, name, step, time, value.

        Raises:
            ModuleNotFoundError: pandas is not installed.
        """
        from bai.metric_points import points_table

        return points_table(self.metric_points())

    def figure(self, *names: str) -> Figure:
        """Return a figure of metrics, by default of all that were reported: `bai.figure`.

        Raises:
            ModuleNotFoundError: matplotlib is not installed.
            NotFoundError: there are no metrics, or none of that name.
        """
        from bai.figures import figure

        return figure(self, *names)

    @property
    def _name_in_tables(self) -> str:
        """The job's name, and the number of the attempt if there is a newer one."""
        name, number = shortest_name(self.id, self.provider), self.attempt.number
        newest = self.provider.attempts(self.id)[-1].number
        return name if number == newest else f"{name} (attempt {number})"

    def events(self, after: int = 0) -> Sequence[Event]:
        """Return what happened to the attempt, after the event of a number or all of it.

        The newest may have no number yet; they come again when they have one.
        """
        expect(after, int, "after must be the number of an event, an int")
        return self.provider.events(self._uuid, after)

    def cancel(self) -> None:
        """Ask for the end of this attempt, with all its processes; `wait` awaits it."""
        # The provider ends a job's newest attempt, which is this one only while it lives.
        if not self.state.ended:
            self.provider.cancel(self.id)

    def __repr__(self) -> str:
        attempt = self.attempt
        code = "" if attempt.exit_code is None else f", exit code {attempt.exit_code}"
        name = shortest_name(self.id, self.provider)
        return f"<Job {name}: {attempt.outcome}{code}, attempt {attempt.number}>"


def shortest_name(id: ResourceId, provider: Provider) -> str:
    """Return the shortest name that only this resource has among those that live."""
    return ShortNames(provider.ids(id.kind, name=id.name)).name(id)
