"""The containers of a run, one for each node: from their image to their removal."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from bai.runtime.containers.images import account_file, pulled_name
from bai.runtime.containers.program import Bind, ContainerProgram
from bai.runtime.containers.reasons import pull_reason, start_reason
from bai.runtime.containers.settings import ContainerSettings
from bai.runtime.errors import LaunchError, NodeLostError
from bai.runtime.jobs.journal import Journal
from bai.runtime.jobs.paths import AttemptPaths
from bai.runtime.jobs.records import Phase
from bai.runtime.mounts.driver import Mount
from bai.runtime.node import box_scripts, container_record
from bai.runtime.node.box import Box, variables_of
from bai.runtime.node.box_scripts import write_private
from bai.runtime.node.commands import Done, command
from bai.runtime.node.environment import MARKER, ExecutionLog
from bai.runtime.node.machine import Answer, Machine
from bai.runtime.supervisor.crew import Crew
from bai.runtime.supervisor.rendezvous_server import RENDEZVOUS

PULL_SECONDS: Final = 1800.0
"""How long pulling an image may take."""

_COMMAND_SECONDS: Final = 120.0
"""How long any other command may take: starting a container, on a busy machine."""

_SCRIPTS: Final = "/run/bai"
"""Where the scripts that come with bai are in a container."""

_ROOT: Final = "0:0"
_SHOW_VARIABLES: Final = ("sh", "-c", box_scripts.VARIABLES)


class Containers:
    """The containers of a run."""

    def __init__(
        self,
        settings: ContainerSettings,
        run: int,
        paths: AttemptPaths,
        crew: Crew,
        check: Callable[[], None],
    ) -> None:
        """Make nothing yet.

        Args:
            settings: what the containers are.
            run: the run's number.
            paths: the attempt's paths.
            crew: the machines that they run on.
            check: called now and then; raises an exception to give up.
        """
        self._settings = settings
        self._program = ContainerProgram(settings.program)
        self._run = run
        self._paths = paths
        self._crew = crew
        self._check = check
        self._names = [f"bai-{paths.uuid}-{run}-{node}" for node in range(len(crew.machines))]

    def open(
        self,
        mounts: Sequence[Mount],
        password: str | None,
        journal: Journal,
        log: ExecutionLog,
    ) -> Crew:
        """Start the containers; mounts, folders and files of the run must be there.

        Args:
            mounts: the mounts of the run, which the containers have as well.
            password: of the registry's account, where the image needs one.
            journal: where to report.
            log: the execution log.

        Returns:
            A crew with a container for each node.

        Raises:
            LaunchError: there is no image, or a container does not start.
            NodeLostError: a node was lost.
            OSError: a file of the run can't be written.
        """
        settings, paths, below = self._settings, self._paths, self._crew
        if not settings.program:
            raise LaunchError(
                f'the job runs in the image {settings.wanted}, and containers = "none" in bai.toml'
            )
        shutil.rmtree(paths.scripts, ignore_errors=True)
        paths.scripts.mkdir()
        paths.metrics.touch()
        environment = below.facts[0].environment
        container_record.record(paths.folder, self._run, settings.program, self._names, environment)
        image = settings.image
        if not self._has_image(image):
            journal.phase(Phase.PULLING)
            image = pulled_name(image)
            log.write(f"pulling {image}")
            self._pull(image, password)
        journal.phase(Phase.CONTAINERS)
        log.write(f"starting {settings.program} with {image}")
        boxes = self._start(image, self._binds(mounts))
        return Crew(boxes, below.streams, below.logs, below.metrics, below)

    def close(self) -> None:
        """Remove the containers, and all that still runs in them."""
        asked = [
            self._ask(machine, self._program.remove(name))
            for machine, name in zip(self._crew.machines, self._names, strict=True)
            if not machine.lost and self._settings.program
        ]
        # What can't be removed now, the next keeper step removes.
        with contextlib.suppress(NodeLostError, LaunchError, OSError):
            check = limit(_COMMAND_SECONDS, "removing a container")
            done = self._crew.gather(asked, check)
            if all(each.code == 0 or self._program.is_absent(each.said) for each in done):
                container_record.forget(self._paths.folder, self._run)
        shutil.rmtree(self._paths.scripts, ignore_errors=True)

    def _has_image(self, image: str) -> bool:
        """Return whether the image is on all machines."""
        argv = self._program.has_image(image)
        asked = [self._ask(machine, argv) for machine in self._crew.each]
        done = self._gather(asked, _COMMAND_SECONDS, "looking for the image")
        return not any(found.code for found in done)

    def _pull(self, image: str, password: str | None) -> None:
        """Pull the image on all machines."""
        settings, account = self._settings, None
        if settings.username:
            if password is None:
                what = f"the password of {settings.username} for the image {settings.image}"
                raise LaunchError(f"{what} was not known when the job was submitted")
            account = self._paths.scripts / "account"
            account.mkdir(mode=0o700)
            content = account_file(image, settings.server, settings.username, password)
            write_private(account / "config.json", content)
        try:
            argv = self._program.pull(image, account)
            asked = [self._ask(machine, argv) for machine in self._crew.each]
            done = self._gather(asked, PULL_SECONDS, f"pulling the image {image}")
        finally:
            if account:
                shutil.rmtree(account, ignore_errors=True)
        for found in done:
            if found.code:
                reason = pull_reason(found.reason, settings.username)
                raise LaunchError(f"can't pull the image {image}: {reason}")

    def _start(self, image: str, binds: Sequence[Bind]) -> list[Box]:
        paths, crew = self._paths, self._crew
        asked = []
        for machine, name in zip(crew.machines, self._names, strict=True):
            # One file alone: where bai is installed for its developers, its folder has links.
            source = f"{machine.facts.scripts}/{RENDEZVOUS}"
            script = Bind(f"{_SCRIPTS}/{RENDEZVOUS}", source, read_only=True)
            own = [script]
            if reports := machine.facts.reports:
                own.append(Bind(str(Path(reports).parent)))
            argv = self._program.run(
                name,
                image,
                ["sh", "-c", box_scripts.FIRST],
                [*binds, *own],
                paths.uuid,
                user=self._user(machine),
                variables=[MARKER],
                shm_size=self._settings.shm_size,
                gpus=machine.facts.gpus > 0,
            )
            asked.append(self._ask(machine, argv))
        what = f"starting a container of the image {image}"
        for found in self._gather(asked, _COMMAND_SECONDS, what):
            if found.code:
                reason = start_reason(found.reason)
                raise LaunchError(f"can't start a container of {image}: {reason}")
        return [self._box(node, found) for node, found in enumerate(self._variables())]

    def _variables(self) -> list[Done]:
        """Return what the containers say of their variables."""
        asked = [
            self._ask(machine, self._program.execute(name, self._user(machine), _SHOW_VARIABLES))
            for machine, name in zip(self._crew.machines, self._names, strict=True)
        ]
        return self._gather(asked, _COMMAND_SECONDS, "reading the variables of the image")

    def _box(self, node: int, variables: Done) -> Box:
        machine, name = self._crew.machines[node], self._names[node]
        if variables.code:
            raise LaunchError(f"can't run commands in the container: {variables.reason}")
        own = {k: v for k, v in variables_of(variables.output).items() if k != MARKER}
        user = self._user(machine)
        facts = replace(
            machine.facts,
            environment=own,
            is_root=user == _ROOT,
            python="python",
            scripts=_SCRIPTS,
        )
        crew, scripts = self._crew, self._paths.scripts
        image, numbers = self._settings.image, crew.numbers
        return Box(machine, self._program, name, image, user, facts, scripts, crew.streams, numbers)

    def _user(self, machine: Machine) -> str:
        """Return the user of processes, so that files belong to who runs bai.

        Without root, podman maps root in its containers to the user; docker's daemon is root.
        """
        if self._program.is_docker:
            return machine.facts.user
        return _ROOT

    def _binds(self, mounts: Sequence[Mount]) -> list[Bind]:
        """Return what containers see of a node, at the same paths."""
        paths = self._paths
        roots = (paths.mount_root, paths.job_mount_root)
        mounted = [Path(mount.path) for mount in mounts]
        # A root that has mounts is made for them; links in it lead out of the container.
        empty = [root for root in roots if not any(map(_is_in(root), mounted))]
        folders = [paths.nodes_folder, paths.shared_temp, paths.scripts]
        written = [paths.stdouterr, *paths.outputs.values()]
        shown = [*mounted, *empty, *folders, paths.host_file, paths.metrics, *written]
        found = dict.fromkeys(map(str, shown))
        for path in found:
            if "," in path:
                raise LaunchError(f"a container can't have {path}: rename what has a comma")
        return [Bind(path) for path in found]

    def _ask(self, machine: Machine, argv: Sequence[str]) -> Answer[Done]:
        environment = {**machine.facts.environment, MARKER: self._paths.uuid}
        return command(machine, next(self._crew.numbers), argv, environment)

    def _gather(self, asked: Sequence[Answer[Done]], seconds: float, what: str) -> list[Done]:
        """Wait for commands; they are ended with the run if they take too long."""
        in_time = limit(seconds, what)

        def check() -> None:
            self._check()
            in_time()

        return self._crew.gather(asked, check)


def _is_in(folder: Path) -> Callable[[Path], bool]:
    return lambda path: path.is_relative_to(folder)


def limit(seconds: float, what: str) -> Callable[[], None]:
    """Return what raises a LaunchError once so many seconds have passed."""
    until = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() >= until:
            raise LaunchError(f"{what} took longer than {seconds / 60:.0f} minutes")

    return check
