"""The keeper: carries out what follows from the state, one bounded step at a time.

Every command takes a step before it does its own work, and so does whoever puts or ends something.
What to do is decided by the pure functions of `runtime/scheduling/`. A step may be killed anywhere,
and the next one goes on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from bai.compiler.resources.ids import Kind
from bai.runtime.engines.base import Condition, Engine, Report
from bai.runtime.errors import LaunchError, NotFoundError
from bai.runtime.jobs.progress import advanced
from bai.runtime.jobs.records import Attempt, End, StopReason, failed, lost, requeued, stopped
from bai.runtime.provider.carry_out import Changes, carry_out, scale_of
from bai.runtime.provider.cluster_view import DatabaseView
from bai.runtime.provider.node_setup import NodeSetup
from bai.runtime.provider.row_mapping import now
from bai.runtime.provider.store import Store
from bai.runtime.scheduling.autoscale import autoscale
from bai.runtime.scheduling.instructions import Instruction
from bai.runtime.scheduling.records import AutoScale
from bai.runtime.scheduling.starts import schedule, submit
from bai.runtime.scheduling.sweeps import members
from bai.specs.errors import ConflictError

LAUNCHES = 3
"""How often to start a supervisor that ends before it claims its run."""

IDLE_SECONDS = 300.0
"""How long a node is idle before a cluster that scales automatically gives it up."""


class Keeper:
    """Takes keeper steps for one state folder and its engine."""

    def __init__(self, store: Store, engine: Engine) -> None:
        """Keep the state of a store, whose jobs an engine runs."""
        self._store = store
        self._engine = engine
        self._setup = NodeSetup(store, engine)

    def step(self) -> None:
        """Record what happened, then scale and start what can be.

        Raises:
            StateError: the state can't be written.
        """
        self.catch_up()
        self.schedule()

    def catch_up(self) -> None:
        """Import journals, settle what has no supervisor any more, and finish deletions.

        Raises:
            StateError: the state can't be written.
        """
        seen = {attempt.uuid: attempt for attempt in self.import_journals()}
        for uuid, report in self._engine.observe(seen.values()).items():
            self._settle(seen[uuid], report)
        self._setup.catch_up()
        self._finish_deletions()

    def import_journals(self) -> Sequence[Attempt]:
        """Import what runs have reported, and return the attempts that have one then.

        Raises:
            StateError: the state can't be written.
        """
        launched = self._launched()
        imported = [self.import_journal(attempt) for attempt in launched]
        return self._launched() if any(imported) else launched

    def _launched(self) -> Sequence[Attempt]:
        """Return the attempts that hold nodes, or are in the engine's own queue."""
        submitted = self._store.attempts.submitted() if self._engine.features.has_queue else ()
        return *self._store.attempts.running(), *submitted

    def import_journal(self, attempt: Attempt) -> bool:
        """Import what the newest run of an attempt has reported; return whether there was any."""
        try:
            records, read = self._engine.journal(attempt)
        except OSError:
            # It can be read later, or the run is lost.
            return False
        if not records:
            return False
        if advanced(attempt, records)[0].state.ended:
            self._engine.discard(attempt.uuid)
        ending = self._store.attempts.add_records(attempt, records, read)
        if ending is None:
            return False
        # Where the disk is full, the next step asks again.
        with suppress(OSError):
            self.stop(ending)
        return True

    def _settle(self, seen: Attempt, report: Report) -> None:
        """Do what follows from a report; `seen` is the attempt as it was before."""
        if report.condition in (Condition.WAITING, Condition.ALIVE):
            if seen.stop:
                # Whoever asked for its end was perhaps killed before the engine heard of it.
                with suppress(OSError):
                    self._engine.stop(seen)
            return
        with suppress(NotFoundError):
            attempt = self._store.attempts.get(seen.uuid)
            # The last words of its supervisor may have come since.
            if self.import_journal(attempt):
                attempt = self._store.attempts.get(seen.uuid)
            # Meanwhile another process may have recorded its end, and launched the next run.
            if attempt.run != seen.run or not attempt.is_launched:
                return
            if report.condition is Condition.LOST:
                again = attempt.stop is StopReason.REQUEUE
                self._finish(attempt, requeued() if again else lost(is_clean=report.is_clean))
            elif attempt.stop:
                if self._engine.revoke(attempt):
                    self._finish(attempt, stopped(attempt.stop))
            elif attempt.launches < LAUNCHES or not report.message:
                # One that says nothing was killed, or is only slow.
                self._store.attempts.launched(attempt.uuid, attempt.run)
                self._launch(attempt)
            else:
                self._give_up(attempt, report.message)

    def _give_up(self, attempt: Attempt, said: str) -> None:
        """End an attempt whose supervisor does not start."""
        if self._engine.revoke(attempt):
            message = f"The supervisor of the job does not start: {said}"
            self._finish(attempt, failed("JobLaunchFailed", message))

    def _finish(self, attempt: Attempt, end: End) -> None:
        if end.state.ended:
            self._engine.discard(attempt.uuid)
        self._store.attempts.finish(attempt.uuid, attempt.run, end)

    def schedule(self) -> None:
        """Scale clusters, prepare new nodes and start queued attempts, as far as possible now.

        Raises:
            StateError: the state can't be written.
        """
        self._scale_and_start()
        self._setup.start()

    def _scale_and_start(self) -> None:
        with self._store.snapshot() as connection:
            time = now()
            # Members of sweeps, and nodes that come or go, change what can start; nothing of all
            # three is no change at all.
            decided = members(DatabaseView(connection))
            if not [*decided, *self._scaling(connection, time), *self._starts(connection)]:
                return
        time = now()
        with self._store.transaction() as connection:
            withdrawn = self._carry_out(connection, members(DatabaseView(connection)), time)
            self._carry_out(connection, self._scaling(connection, time), time)
            changes = self._carry_out(connection, self._starts(connection), time)
        self.stop(withdrawn.stopped)
        for uuid in changes.started:
            with suppress(NotFoundError):
                self._launch(self._store.attempts.get(uuid))

    def _carry_out(
        self, connection: sqlite3.Connection, instructions: Iterable[Instruction], time: datetime
    ) -> Changes:
        return carry_out(connection, instructions, time, self._setup.new_nodes)

    def _scaling(self, connection: sqlite3.Connection, time: datetime) -> list[Instruction]:
        if self._engine.features.has_queue:
            return []
        scales = {str(each.id): scale_of(each.wire) for each in self._store.of_kind(Kind.CLUSTER)}
        view = DatabaseView(connection)
        return [
            instruction
            for id, scale in scales.items()
            if isinstance(scale, AutoScale)
            for instruction in autoscale(
                view, id, scale, now=time.timestamp(), idle_time=IDLE_SECONDS
            )
        ]

    def _starts(self, connection: sqlite3.Connection) -> tuple[Instruction, ...]:
        view, features = DatabaseView(connection), self._engine.features
        return submit(view) if features.has_queue else schedule(view, features.slots)

    def _launch(self, attempt: Attempt) -> None:
        """Launch the newest run of an attempt; what can't be launched is tried again later."""
        job, cluster = self._store.get(attempt.job), self._store.get(attempt.cluster)
        if job is None:
            return
        submission = self._engine.prepare(attempt, job.wire, cluster.wire if cluster else None)
        sweep = self._store.sweep(attempt.sweep) if attempt.sweep else None
        if sweep and sweep.early_stopping:
            spec = replace(submission.spec, is_compared=True)
            submission = replace(submission, spec=spec)
        try:
            self._engine.launch(submission)
        except LaunchError as error:
            self._store.attempts.add_event(attempt.uuid, "error", str(error))
            if attempt.launches >= LAUNCHES:
                self._give_up(attempt, str(error))

    def stop(self, attempts: Iterable[Attempt]) -> None:
        """Ask the runs of attempts to end, for the reasons that they have.

        One without a run has ended already, and needs nothing of its submission any more.

        Raises:
            OSError: the disk is full, and there is no supervisor yet that a signal could reach.
        """
        for attempt in attempts:
            if attempt.holds_nodes:
                self._engine.stop(attempt)
            else:
                self._engine.discard(attempt.uuid)

    def _finish_deletions(self) -> None:
        """Delete the resources that are marked for it, once all attempts below them have ended."""
        for id in self._store.deleting():
            attempts = self._store.attempts.below(id)
            # Killed before it could ask them all, the command that began it leaves some unasked.
            self.stop(attempt for attempt in attempts if attempt.holds_nodes)
            if not self._setup.release(id):
                continue
            with suppress(ConflictError):
                self._store.delete(id)
                for attempt in attempts:
                    self._engine.remove(attempt.uuid)
