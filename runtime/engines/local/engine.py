"""The local engine: every attempt has a supervisor process of its own on this machine."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.errors import LaunchError, NotFoundError
from bai.runtime.jobs.paths import SETTINGS_FILE, attempt_folder
from bai.runtime.jobs.recording import PendingResult, pending_result, record_once, reserve_note
from bai.runtime.jobs.records import Attempt, failed, lost
from bai.runtime.node import processes
from bai.runtime.node.environment import MARKER
from bai.runtime.node.own_python import own_python
from bai.runtime.provider.store import Store
from bai.runtime.secrets import withheld_variables
from bai.specs.errors import ContextError

LAUNCHES = 3
"""How often to start a supervisor that ends before it claims its attempt."""

LAUNCH_SECONDS = 2.0
"""How long a supervisor may take to claim its attempt before another one is started."""

_LOG = "supervisor.log"

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
        from bai.runtime.engines.local.checks import check_cluster

        return tuple(check_cluster(resource, self._settings))

    def check_job(self, resource: Resource, cluster: Resource | None) -> tuple[Finding, ...]:
        """Return what this machine can't do: too many processes, containers, other mounts.

        Raises:
            ContextError: the context's interpreter is no program.
        """
        from bai.runtime.engines.local.checks import check_job

        python = self._settings.python
        if python and not shutil.which(python):
            # Jobs would run with another one, in which other packages are installed.
            raise ContextError(f"there is no program {python}: correct `python` in bai.toml")

        return tuple(check_job(resource, cluster, self._settings, self._store.folder))

    def launch(self, attempt: Attempt) -> None:
        """Start the supervisor in a session of its own, so that it outlives the terminal.

        Raises:
            LaunchError: the attempt's folder can't be made, or the process not be started.
        """
        folder = self._folder(attempt.uuid)
        job = self._store.get(attempt.job)
        assert job is not None
        cluster = self._store.get(ResourceId.parse(job.wire["properties"]["cluster"]["id"]))
        servers = self._store.of_kind(Kind.FILE_SERVER)
        others = [resource.wire for resource in (cluster, *servers) if resource]
        settings = {
            "job": job.wire,
            "withheld": sorted(withheld_variables(job.wire, others)),
            "cluster": cluster.wire if cluster else None,
            "slots": self._settings.slots,
            "launcher": self._settings.launcher,
            "bind_to": self._settings.bind_to,
            "python": self._settings.python,
            "storage": str(self._settings.storage) if self._settings.storage else None,
            "launches": self._launches(attempt) + 1,
        }
        command = own_python("bai.runtime.supervisor.main")
        command += [str(self._store.folder), attempt.uuid]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            reserve_note(folder)
            # Two commands may find that the attempt has no supervisor yet, at the same time.
            written = folder / f"{SETTINGS_FILE}.{os.getpid()}"
            written.write_text(json.dumps(settings))
            written.replace(folder / SETTINGS_FILE)
            with (folder / _LOG).open("ab") as log:
                # The shell ends at once, so that the supervisor is not a child of a notebook,
                # which would have to wait for it.
                subprocess.run(
                    ["sh", "-c", '"$@" &', "sh", *command],
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
        return self._setting(uuid, "slots")

    def pending_result(self, attempt: Attempt) -> PendingResult | None:
        """Return the result that the database could not take; None if there is none."""
        return pending_result(self._folder(attempt.uuid))

    def ask_to_end(self, attempt: Attempt) -> bool:
        """Ask the supervisor of an attempt to end it; return whether there is one."""
        return processes.ask_to_end(attempt.supervisor, attempt.uuid)

    def remove(self, attempt: Attempt) -> None:
        """Remove the attempt's folder; outputs and logs in storage stay."""
        shutil.rmtree(self._folder(attempt.uuid), ignore_errors=True)

    def reconcile(self) -> None:
        """End attempts whose supervisor is gone; start queued ones that have none."""
        for attempt in self._store.attempts.alive():
            if attempt.supervisor is None and self._just_launched(attempt):
                continue
            with self._unsupervised(attempt) as unsupervised:
                launch = unsupervised and self._settle(attempt)
            # Its supervisor needs the lock.
            if launch:
                self.launch(attempt)

    def _settle(self, attempt: Attempt) -> bool:
        """End an attempt that lost its supervisor; return whether it must be launched instead."""
        try:
            current = self._store.attempts.get(attempt.uuid)
        except NotFoundError:
            # Another command deleted it meanwhile; taking the lock made its folder again.
            self.remove(attempt)
            return False
        if current.state.ended:
            return False
        if current.supervisor is not None and not self._store.attempts.requeue(attempt.uuid):
            marker = f"{MARKER}={attempt.uuid}"
            processes.end(lambda: processes.marked(marker))
            record_once(self._store, attempt.uuid, lost())
            return False
        said = _last_line(self._folder(attempt.uuid) / _LOG)
        if said and self._launches(attempt) >= LAUNCHES:
            message = f"The supervisor of the job does not start: {said}"
            record_once(self._store, attempt.uuid, failed("JobLaunchFailed", message))
            return False
        return True

    def _just_launched(self, attempt: Attempt) -> bool:
        try:
            launched = (self._folder(attempt.uuid) / SETTINGS_FILE).stat().st_mtime
        except OSError:
            return False
        # A clock that was set back would make every launch a recent one.
        return 0 <= time.time() - launched < LAUNCH_SECONDS

    def _launches(self, attempt: Attempt) -> int:
        return self._setting(attempt.uuid, "launches") or 0

    def _setting(self, uuid: str, name: str) -> int | None:
        try:
            settings = json.loads((self._folder(uuid) / SETTINGS_FILE).read_text())
            return int(settings[name])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @contextmanager
    def _unsupervised(self, attempt: Attempt) -> Iterator[bool]:
        """Take the attempt's lock if it is free; yield whether that succeeded."""
        folder = self._folder(attempt.uuid)
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

    def _folder(self, uuid: str) -> Path:
        return attempt_folder(self._store.folder, uuid)


def _last_line(path: Path) -> str:
    try:
        lines = path.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
