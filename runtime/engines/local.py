"""The local engine: every attempt has a supervisor process of its own on this machine."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bai.compiler.resources.ids import ResourceId
from bai.runtime.context import EngineSettings
from bai.runtime.engines import processes
from bai.runtime.engines.contract import MARKER
from bai.runtime.engines.end import lost
from bai.runtime.engines.layout import SETTINGS_FILE
from bai.runtime.errors import ContextError, LaunchError, NotFoundError
from bai.runtime.provider.live import Attempt, ExecutionState
from bai.runtime.provider.store import Store

if TYPE_CHECKING:
    from bai.compiler.resources.resource import Resource
    from bai.specs.findings import Finding


class LocalEngine:
    """Runs attempts on this machine; nodes are directories."""

    def __init__(self, store: Store, settings: EngineSettings) -> None:
        """Serve the attempts of a store."""
        self._store = store
        self._settings = settings

    def check_cluster(self, resource: Resource) -> tuple[Finding, ...]:
        """Return a finding if the cluster has more nodes than this machine has slots."""
        from bai.runtime.engines.checks import check_cluster

        return tuple(check_cluster(resource, self._settings))

    def check_job(self, resource: Resource, cluster: Resource | None) -> tuple[Finding, ...]:
        """Return what this machine can't do: too many processes, containers, other mounts.

        Raises:
            ContextError: the context's interpreter is no program.
        """
        from bai.runtime.engines.checks import check_job

        python = self._settings.python
        if python and not shutil.which(python):
            # Jobs would run with another one, in which other packages are installed.
            raise ContextError(f"there is no program {python}: mend `python` in bai.toml")

        return tuple(check_job(resource, cluster, self._settings, self._store.folder))

    def launch(self, attempt: Attempt) -> None:
        """Start the supervisor in a session of its own, so that it outlives the terminal.

        Raises:
            LaunchError: the attempt's folder can't be made, or the process not be started.
        """
        folder = self._folder(attempt)
        job = self._store.get(attempt.job)
        assert job is not None
        cluster = self._store.get(ResourceId.parse(job.wire["properties"]["cluster"]["id"]))
        settings = {
            "job": job.wire,
            "cluster": cluster.wire if cluster else None,
            "slots": self._settings.slots,
            "launcher": self._settings.launcher,
            "python": self._settings.python,
            "storage": str(self._settings.storage) if self._settings.storage else None,
        }
        command = ["-m", "bai.runtime.engines.supervisor", str(self._store.folder), attempt.uuid]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Two commands may find that the attempt has no supervisor yet, at the same time.
            written = folder / f"{SETTINGS_FILE}.{os.getpid()}"
            written.write_text(json.dumps(settings))
            written.replace(folder / SETTINGS_FILE)
            with (folder / "supervisor.log").open("ab") as log:
                # The shell ends at once, so that the supervisor is nobody's child: a notebook
                # that started it need not wait for it.
                subprocess.run(
                    ["sh", "-c", '"$@" &', "sh", sys.executable, *command],
                    check=True,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise LaunchError(f"can't start the job's supervisor: {error.strerror}") from None
        except subprocess.CalledProcessError as error:
            raise LaunchError(f"can't start the job's supervisor: sh said {error}") from None

    def slots(self, uuid: str) -> int | None:
        """Return how many processes an attempt lets run at once; None before its launch."""
        try:
            settings = json.loads((self._store.folder / "jobs" / uuid / SETTINGS_FILE).read_text())
            return int(settings["slots"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def remove(self, attempt: Attempt) -> None:
        """Remove the attempt's folder; outputs and logs in storage stay."""
        shutil.rmtree(self._folder(attempt), ignore_errors=True)

    def reconcile(self) -> None:
        """End attempts whose supervisor is gone; start those that never had one."""
        for attempt in self._store.live_attempts():
            with self._unsupervised(attempt) as unsupervised:
                if not unsupervised:
                    continue
                try:
                    current = self._store.attempt(attempt.uuid)
                except NotFoundError:
                    # Deleted by another command since we looked; the lock made its folder anew.
                    self.remove(attempt)
                    continue
                if current.state.ended:
                    continue
                if current.supervisor is not None:
                    marker = f"{MARKER}={attempt.uuid}"
                    processes.end(lambda marker=marker: processes.marked(marker))  # type: ignore[misc]
                    end = lost()
                    self._store.finish(attempt.uuid, end.state, end.exit_code, end.errors)
            if current.supervisor is None and current.state is ExecutionState.QUEUED:
                self.launch(current)

    @contextmanager
    def _unsupervised(self, attempt: Attempt) -> Iterator[bool]:
        """Hold the attempt's lock if nobody else does; yield whether that worked."""
        folder = self._folder(attempt)
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        finally:
            os.close(handle)

    def _folder(self, attempt: Attempt) -> Path:
        return self._store.folder / "jobs" / attempt.uuid
