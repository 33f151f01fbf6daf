"""Runs an attempt whose queue and records are in the database."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bai.runtime.jobs.journal import StopReason
from bai.runtime.jobs.paths import SETTINGS_FILE, attempt_folder, file_servers_folder
from bai.runtime.jobs.recording import record
from bai.runtime.jobs.records import End, Phase, failed, terminated
from bai.runtime.jobs.run_spec import RunSpec
from bai.runtime.provider.store import Store
from bai.runtime.supervisor.run import run_attempt
from bai.specs.errors import RuntimeFailure

POLL_SECONDS = 0.1
"""How often a queued attempt looks whether anything has changed."""

QUEUE_SECONDS = 5.0
"""How often it looks for free nodes though nothing has."""


def run_in_database(state: Path, uuid: str) -> None:
    """Claim an attempt and run it to its end; do nothing if it is claimed already."""
    store = Store(state)
    if not store.attempts.claim(uuid, os.getpid()):
        return
    journal = _DatabaseJournal(store, uuid)
    signal.signal(signal.SIGTERM, journal.ask_to_end)
    try:
        end = _run(store, state, uuid, journal)
    except (RuntimeFailure, OSError, ValueError, KeyError) as error:
        message = f"The attempt's own file {SETTINGS_FILE} can't be used: {error}"
        end = failed("JobLaunchFailed", message)
    journal.end(end)


def _run(store: Store, state: Path, uuid: str, journal: _DatabaseJournal) -> End:
    folder = attempt_folder(state, uuid)
    settings = json.loads((folder / SETTINGS_FILE).read_text())
    while (nodes := store.attempts.allocate(uuid, settings["slots"])) is None:
        version, waited = store.version(), 0.0
        while waited < QUEUE_SECONDS and store.version() == version:
            if journal.stop_reason():
                return terminated()
            time.sleep(POLL_SECONDS)
            waited += POLL_SECONDS
        if journal.stop_reason():
            return terminated()
    spec = RunSpec(
        uuid=uuid,
        job=store.attempts.get(uuid).job,
        run=1,
        nodes=nodes,
        wire=settings["job"],
        cluster=settings["cluster"],
        folder=str(folder),
        storage=settings["storage"] or str(state / "storage"),
        file_servers=str(file_servers_folder(state)),
        launcher=settings["launcher"],
        bind_to=settings["bind_to"],
        python=settings["python"],
        withheld=tuple(settings["withheld"]),
    )
    return run_attempt(spec, journal)


class _DatabaseJournal:
    def __init__(self, store: Store, uuid: str) -> None:
        self._store = store
        self._uuid = uuid
        self._asked_to_end = False

    def ask_to_end(self, *_: object) -> None:
        self._asked_to_end = True

    def phase(self, phase: Phase) -> None:
        self._store.attempts.set_phase(self._uuid, phase)

    def event(self, kind: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        self._store.attempts.add_event(self._uuid, kind, message, dict(data or {}))

    def stop_reason(self) -> StopReason | None:
        must_end = self._asked_to_end or self._store.attempts.must_end(self._uuid)
        return StopReason.CANCEL if must_end else None

    def end(self, end: End) -> None:
        record(self._store, self._uuid, end)
