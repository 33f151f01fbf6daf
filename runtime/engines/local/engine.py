"""The local engine: every run has a supervisor process of its own on this machine."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from bai.compiler.resources.ids import Kind
from bai.runtime.attempt_files import files_of
from bai.runtime.containers.settings import container_settings
from bai.runtime.engines.base import EngineNode, Features, Report, Submission
from bai.runtime.engines.local import supervised
from bai.runtime.engines.local.containers import mapped_image, program
from bai.runtime.engines.local.settings import EngineSettings
from bai.runtime.engines.local.setup_tasks import LocalSetupTasks, this_machine
from bai.runtime.errors import LaunchError, NotFoundError
from bai.runtime.jobs.files import FolderFiles
from bai.runtime.jobs.journal import Record, ask_to_stop, claim, read_journal
from bai.runtime.jobs.paths import AttemptPaths, attempt_folder
from bai.runtime.jobs.records import Attempt
from bai.runtime.jobs.run_spec import RunSpec, read_run_spec
from bai.runtime.jobs.submitted import Submitted, remove_submitted, write_submitted
from bai.runtime.mounts.mounted import remove_folder
from bai.runtime.node import processes
from bai.runtime.node.environment import MARKER
from bai.runtime.node.gpus import gpu_count
from bai.runtime.node.own_python import own_python
from bai.specs.errors import ContextError

if TYPE_CHECKING:
    from bai.compiler.resources.ids import ResourceId
    from bai.compiler.resources.resource import Resource
    from bai.runtime.engines.local.file_checks import Machine
    from bai.runtime.engines.setup_tasks import SetupTasks
    from bai.specs.findings import Finding


class LocalEngine:
    """Runs attempts on this machine; nodes are directories."""

    guardian: ClassVar[str] = "bai.runtime.guardian"
    """The module whose `main()` runs an attempt."""
    setup_guardian: ClassVar[str] = "bai.runtime.setup_guardian"
    """The module whose `main()` runs the setup task of a node."""
    has_disposable_nodes: ClassVar[bool] = False
    """Whether nodes are made for their cluster alone: setup tasks run there without being asked."""
    has_far_nodes: ClassVar[bool] = False
    """Whether nodes are other machines, which mount no containers of real accounts."""

    def __init__(self, state: Path, settings: EngineSettings) -> None:
        """Run the attempts of a state folder."""
        self._state = state
        self._settings = settings
        self.features = Features(
            slots=settings.slots, gpus=gpu_count(), accounts=settings.storage.real
        )
        self.setup_tasks: SetupTasks | None = LocalSetupTasks(
            state,
            settings,
            self.setup_guardian,
            runs=self.has_disposable_nodes or settings.setup_task == "run",
            place="there" if self.has_disposable_nodes else this_machine(),
        )

    def check_cluster(self, resource: Resource) -> tuple[Finding, ...]:
        """Return a finding if the cluster has more nodes than this machine has slots."""
        from bai.runtime.engines.local.checks import check_cluster

        tasks = self.setup_tasks
        runs = tasks is not None and tasks.runs
        machine = self._machine
        return tuple(check_cluster(resource, self._settings, machine, runs_setup=runs))

    @property
    def _machine(self) -> Machine:
        """What checks of mounts have to know of this machine."""
        from bai.runtime.engines.local.file_checks import Machine

        storage = self._settings.storage
        return Machine(
            storage.file_servers(self._state),
            storage.accounts(self._state),
            f"[contexts.{self._settings.context}.engine]",
            self._settings.unmanaged_mounts,
            is_far=self.has_far_nodes,
        )

    def check_job(self, resource: Resource, cluster: Resource | None) -> tuple[Finding, ...]:
        """Return what this machine can't do: too many processes, containers, other mounts.

        Raises:
            ContextError: the context's interpreter is no program.
        """
        from bai.runtime.engines.local.checks import check_job

        is_contained = "containerSettings" in resource.to_wire()["properties"]
        # A container has an interpreter of its own.
        python = None if is_contained else self._settings.python
        if python and not shutil.which(python):
            # Jobs would run with another one, in which other packages are installed.
            raise ContextError(f"there is no program {python}: correct `python` in bai.toml")

        return tuple(check_job(resource, cluster, self._settings, self._state, self._machine))

    def consequences(self, resource: Resource) -> tuple[str, ...]:
        """Return what mounts show from elsewhere, which accounts are folders, and other images."""
        from bai.runtime.engines.local.folder_accounts import folder_accounts
        from bai.runtime.engines.local.mount_notes import mount_notes

        notes = list(folder_accounts(resource, self._settings.storage, self._state))
        if resource.id.kind is Kind.JOB:
            mapped = mapped_image(resource.to_wire()["properties"], self._settings)
            notes += [mapped] if mapped else []
        notes += mount_notes(resource, self._settings.storage)
        return tuple(f"{resource.id.kind.singular} {resource.id.name}: {note}" for note in notes)

    def accept(self, uuid: str, submitted: Submitted) -> None:
        """Keep what a job got from the process that submits it, in the attempt's folder.

        Raises:
            OSError: it can't be written.
        """
        write_submitted(attempt_folder(self._state, uuid), submitted)

    def discard(self, uuid: str) -> None:
        """Remove what `accept` kept, if it is there."""
        remove_submitted(attempt_folder(self._state, uuid))

    def prepare(
        self, attempt: Attempt, job: Mapping[str, Any], cluster: Mapping[str, Any] | None
    ) -> Submission:
        """Return the supervisor of the newest run of an attempt, which is not started yet."""
        settings, accounts = self._settings, self._settings.storage.accounts(self._state)
        servers = settings.storage.file_servers(self._state)
        folder = self._folder(attempt)
        container = container_settings(job["properties"], program(settings), settings.images)
        spec = RunSpec(
            uuid=attempt.uuid,
            job=attempt.job,
            run=attempt.run,
            nodes=attempt.nodes,
            wire=job,
            cluster=cluster,
            folder=str(folder),
            storage=str(accounts.root),
            accounts=tuple(accounts.real.values()),
            file_servers=str(servers.root),
            mapped=tuple(servers.mapped.values()),
            launcher=settings.launcher,
            bind_to=settings.bind_to,
            # A container has an interpreter of its own.
            python=None if container else settings.python,
            container=container,
            mount_commands=settings.unmanaged_mounts,
        )
        # The guardian takes a keeper step in the end, with the settings of this context.
        keeper = json.dumps([str(self._state), settings.name, settings.dumped()])
        command = [*own_python(self.guardian), str(folder), str(attempt.run), keeper]
        return Submission(spec, tuple(command))

    def run_spec(self, attempt: Attempt) -> RunSpec:
        """Return what the newest run of an attempt was launched with.

        Raises:
            NotFoundError: it is gone, or there was no run yet.
        """
        try:
            return read_run_spec(self._folder(attempt), attempt.run)
        except OSError:
            message = f"the files of attempt {attempt.number} of job {attempt.job.name} are gone"
            raise NotFoundError(message) from None

    def launch(self, submission: Submission) -> None:
        """Start the supervisor in a session of its own, so that it outlives the terminal.

        It inherits the lock of the attempt's folder, which tells whether it lives from its very
        beginning. Nothing happens if another process has that: it launches, runs or observes.

        Raises:
            LaunchError: the attempt's folder can't be made, or the process not be started.
        """
        folder = Path(submission.spec.folder)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with supervised.locked(folder) as lock:
                if lock is not None:
                    submission.spec.write()
                    supervised.start(folder, submission.command, lock)
        except OSError as error:
            raise LaunchError(f"can't start the job's supervisor: {error.strerror}") from None
        except LaunchError as error:
            raise LaunchError(f"can't start the job's supervisor: {error}") from None

    def revoke(self, attempt: Attempt) -> bool:
        """Make sure that the newest run never starts; False if a supervisor has claimed it.

        Raises:
            OSError: the attempt's folder can't be written.
        """
        folder = self._folder(attempt)
        folder.mkdir(parents=True, exist_ok=True)
        return claim(folder, attempt.run)

    def stop(self, attempt: Attempt) -> None:
        """Ask the newest run to end for the reason in `attempt.stop`; may be repeated.

        Raises:
            OSError: the disk is full, and there is no supervisor yet that a signal could reach.
        """
        assert attempt.stop is not None
        folder = self._folder(attempt)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            ask_to_stop(folder, attempt.run, attempt.stop)
        except OSError:
            if attempt.handle is None or not processes.ask_to_end(int(attempt.handle), str(folder)):
                raise

    def observe(self, attempts: Iterable[Attempt]) -> Mapping[str, Report]:
        """Return uuid -> report on the newest run of each attempt.

        What a lost supervisor left running is ended first.
        """
        return {
            attempt.uuid: supervised.observe(
                self._folder(attempt), attempt.run, f"{MARKER}={attempt.uuid}"
            )
            for attempt in attempts
        }

    def waiting(self, attempts: Iterable[Attempt]) -> Mapping[str, str]:  # noqa: ARG002
        """Return nothing: there is no queue but bai's."""
        return {}

    def nodes(self, cluster: ResourceId) -> Sequence[EngineNode]:  # noqa: ARG002
        """Return nothing: bai keeps the nodes of its clusters."""
        return ()

    def journal(self, attempt: Attempt) -> tuple[Sequence[Record], int]:
        """Return what the newest run reported behind `attempt.journal_read`, and where that ends.

        Raises:
            OSError: it can't be read.
        """
        return read_journal(self._folder(attempt), attempt.run, attempt.journal_read)

    def is_silent(self, attempt: Attempt) -> bool:
        """Return whether the supervisor of the newest run was stopped, as by SIGSTOP."""
        return attempt.handle is not None and processes.is_stopped(int(attempt.handle))

    def wait(self, attempts: Iterable[Attempt], seconds: float) -> None:
        """Wait until the supervisor of one of these attempts ends, at most so many seconds."""
        supervisors = [int(attempt.handle) for attempt in attempts if attempt.handle]
        if not processes.await_end(supervisors, seconds):
            time.sleep(seconds)

    def files(self, spec: RunSpec) -> FolderFiles:
        """Return what the runs of an attempt have written: folders here, or of real accounts."""
        return files_of(AttemptPaths.of_run(spec))

    def remove(self, uuid: str) -> None:
        """Remove the attempt's folder; outputs and logs in storage stay."""
        remove_folder(attempt_folder(self._state, uuid))

    def _folder(self, attempt: Attempt) -> Path:
        return attempt_folder(self._state, attempt.uuid)
