"""Commands of bai in processes of their own, most of them forked from one that has loaded bai."""

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import chdir, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from tempfile import TemporaryDirectory

from chaos.jobs import Mix, random_job, spec


@dataclass
class Command:
    """A command that was started, in a session of its own."""

    words: tuple[str, ...]
    jobs: tuple[str, ...]
    """Names of the jobs that it is about."""
    pid: int
    output: Path
    existing: frozenset[str] = frozenset()
    """Names of the jobs that there were when it started."""
    killed: bool = False
    code: int | None = None
    started: float = field(default_factory=time.time)
    ended: float = float("inf")

    @property
    def said(self) -> str:
        """What it has written."""
        return self.output.read_text(errors="replace")

    def poll(self) -> bool:
        """Return whether it has ended."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code, self.ended = os.waitstatus_to_exitcode(status), time.time()
        return self.code is not None

    def kill(self, *, group: bool) -> bool:
        """Kill it, or all of its process group; return whether it ran still."""
        if self.poll():
            return False
        self.killed = True
        os.kill(self.pid, signal.SIGKILL)
        if group:
            # It may be too young to have a group of its own.
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        return True

    def overlaps(self, begin: float, end: float) -> bool:
        """Return whether it ran at any moment between these."""
        return self.started <= end and begin <= self.ended

    def __str__(self) -> str:
        how = "killed" if self.killed else f"exit code {self.code}"
        return f"bai {' '.join(self.words)} ({how}):\n{self.said}"


def load() -> None:
    """Import and build what commands need, so that forked ones start at once."""
    import bai.cli

    for module in iter_modules(bai.cli.__path__, "bai.cli."):
        if module.name != "bai.cli.lsp":
            import_module(module.name)
    with TemporaryDirectory() as folder:
        path = Path(folder, "experiment.yaml")
        path.write_text(spec([random_job(Random(0), "job", 1, Mix())], path.parent, "mark", 1))
        with chdir(folder):
            bai.load(path).diff()
            bai.connect().resources("job")


def forked(folder: Path, words: tuple[str, ...], output: Path) -> int:
    """Start a command in a fork of this process, which does what the installed one does."""

    def run() -> None:
        from bai.cli.main import main

        sys.argv = ["bai", *words]
        sys.stdin, sys.stdout, sys.stderr = (
            open(descriptor, mode)  # noqa: PTH123, SIM115
            for descriptor, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        main()

    return _start(folder, output, run)


def installed(folder: Path, words: tuple[str, ...], output: Path, command: list[str]) -> int:
    """Start the installed command."""
    return _start(folder, output, lambda: os.execv(command[0], [*command, *words]))


def _start(folder: Path, output: Path, run: Callable[[], None]) -> int:
    sys.stdout.flush()
    if pid := os.fork():
        return pid
    code: object = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        os.closerange(3, 256)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except SystemExit as end:
        code = end.code or 0
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code if isinstance(code, int) else 1)
