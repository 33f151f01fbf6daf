"""Attempts and their events in the database: each run is started at most once, and always ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bai.compiler.resources.ids import ResourceId
from bai.runtime.errors import NotFoundError
from bai.runtime.jobs.journal import Record
from bai.runtime.jobs.progress import advanced, end_of_run, ended
from bai.runtime.jobs.records import Attempt, End, Event, StopReason
from bai.runtime.provider.attempt_rows import SELECT, ask_to_stop, find_attempt, insert_event
from bai.runtime.provider.carry_out import record
from bai.runtime.provider.database import BELOW, Database
from bai.runtime.provider.report_rows import add_reports
from bai.runtime.provider.row_mapping import attempt_of, event_of, now


class Attempts:
    """The attempts of one state folder."""

    def __init__(self, database: Database) -> None:
        """Use the database of a store."""
        self._db = database

    def get(self, uuid: str) -> Attempt:
        """Return one attempt.

        Raises:
            NotFoundError: there is none.
        """
        found = self._db.read(attempt_of, f"{SELECT} WHERE uuid = ?", uuid)
        if not found:
            raise NotFoundError(f"there is no attempt {uuid}")
        return found[0]

    def of_job(self, job: ResourceId) -> tuple[Attempt, ...]:
        """Return the attempts of a job, oldest first."""
        sql = f"{SELECT} WHERE job = ? ORDER BY number"
        return tuple(self._db.read(attempt_of, sql, str(job)))

    def alive(self) -> tuple[Attempt, ...]:
        """Return the attempts that have not ended, oldest first."""
        return tuple(self._db.read(attempt_of, f"{SELECT} WHERE ended IS NULL ORDER BY created"))

    def running(self) -> tuple[Attempt, ...]:
        """Return the attempts that hold nodes, oldest first."""
        sql = (
            f"{SELECT} WHERE ended IS NULL AND state IN ('running', 'terminating') ORDER BY created"
        )
        return tuple(self._db.read(attempt_of, sql))

    def submitted(self) -> tuple[Attempt, ...]:
        """Return the attempts that wait in the engine's own queue, oldest first."""
        sql = f"{SELECT} WHERE ended IS NULL AND state = 'queued' AND launches > 0 ORDER BY created"
        return tuple(self._db.read(attempt_of, sql))

    def below(self, id: ResourceId) -> tuple[Attempt, ...]:
        """Return the attempts of a job, or of the jobs below `id`."""
        sql = f"{SELECT} WHERE {BELOW.format('job')} ORDER BY created"
        return tuple(self._db.read(attempt_of, sql, str(id)))

    def add_records(
        self, seen: Attempt, records: Sequence[Record], read: int
    ) -> Sequence[Attempt] | None:
        """Import the records of a journal that follow what an attempt knows.

        Args:
            seen: the attempt as it was when the journal was read.
            records: what the journal holds from `seen.journal_read` on.
            read: bytes of the journal up to the end of these records.

        Returns:
            The attempts that are asked to end for that, as they are then; None if another process
            has imported the records.
        """
        with self._db.transaction() as connection:
            before = find_attempt(connection, seen.uuid)
            place = before and (before.run, before.journal_read)
            if before is None or place != (seen.run, seen.journal_read):
                return None
            after, steps = advanced(before, records)
            after, time = replace(after, journal_read=read), now()
            record(connection, before, after, steps, time)
            stopped = add_reports(connection, after, records, time)
            return [stopped] if stopped else []

    def ask_to_stop(self, uuid: str, reason: StopReason) -> Attempt | None:
        """Note that an attempt shall end; one without a run has ended then.

        Returns:
            The attempt as it is then; None if it has ended before, or is gone.
        """
        with self._db.transaction() as connection:
            attempt = find_attempt(connection, uuid)
            if attempt is None or attempt.state.ended:
                return None
            return ask_to_stop(connection, attempt, reason, now())

    def finish(self, uuid: str, run: int, end: End) -> bool:
        """Record an end that no journal tells; False if that run has ended already."""
        with self._db.transaction() as connection:
            before = find_attempt(connection, uuid)
            if before is None or before.run != run or not before.is_launched:
                return False
            time = now()
            after = ended(before, end, time)
            record(connection, before, after, [end_of_run(after)], time)
            return True

    def launched(self, uuid: str, run: int) -> None:
        """Count that another supervisor is being started for a run."""
        with self._db.transaction() as connection:
            connection.execute(
                "UPDATE attempts SET launches = launches + 1 WHERE uuid = ? AND run = ?",
                (uuid, run),
            )

    def add_event(
        self, uuid: str, kind: str, message: str, data: Mapping[str, Any] | None = None
    ) -> None:
        """Record something that happened to an attempt."""
        with self._db.transaction() as connection:
            insert_event(connection, uuid, now(), kind, message, data)

    def events(self, uuid: str, after: int = 0) -> tuple[Event, ...]:
        """Return the events of an attempt with a sequence number above `after`."""
        sql = "SELECT * FROM events WHERE attempt = ? AND sequence > ? ORDER BY sequence"
        return tuple(self._db.read(event_of, sql, uuid, after))
