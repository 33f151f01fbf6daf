"""A spec, in the hands of a person: load, lint, compile, diff, apply."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bai.compiler.compilation import Compilation
from bai.compiler.compile import compile_spec
from bai.compiler.passes.cap import cap, without_containers
from bai.compiler.resources.ids import Kind
from bai.runtime.context import Context, select
from bai.specs.findings import Finding
from bai.specs.load import LoadResult, load_file, load_text

if TYPE_CHECKING:
    # Linting and compiling need no database and no engine: those are imported where they are used.
    from bai.job import JobHandle
    from bai.runtime.plan.execute import Applied
    from bai.runtime.plan.plan import Plan
    from bai.session import Session


@dataclass(frozen=True, slots=True)
class Limits:
    """How a run is scaled down to a smaller machine."""

    max_nodes: int | None = None
    max_processes: int | None = None
    without_containers: bool = False

    def apply(self, compilation: Compilation) -> Compilation:
        """Return the compilation within the limits, with a note for every change."""
        cut = cap(compilation, self.max_nodes, self.max_processes)
        return without_containers(cut) if self.without_containers else cut


@dataclass(frozen=True, slots=True)
class Result:
    """What `apply` has done."""

    applied: Sequence[Applied]
    jobs: dict[str, JobHandle] = field(default_factory=dict)
    """Name -> every job of the spec, whether it was started or not."""

    def wait(self, timeout: float | None = None) -> Result:
        """Wait for the end of every job, each at most `timeout` seconds, and return self.

        Raises:
            TimeoutError: a job has not ended in time; it goes on.
        """
        for job in self.jobs.values():
            job.wait(timeout)
        return self


class Experiment:
    """The specs of a file."""

    def __init__(self, loaded: LoadResult, context: Context) -> None:
        """Hold what was loaded; `bai.load` makes one from a file."""
        self._loaded = loaded
        self.context = context

    def compile(self, limits: Limits | None = None) -> list[Compilation]:
        """Return the compilation of each spec; wrong ones carry findings."""
        limits = limits or Limits()
        defaults = self.context.defaults
        return [limits.apply(compile_spec(spec, defaults)) for spec in self._loaded.specs]

    def lint(self) -> tuple[Finding, ...]:
        """Return everything that is wrong, of reading and of compiling."""
        compiled = [finding for each in self.compile() for finding in each.findings]
        return (*self._loaded.findings, *compiled)

    def check(self) -> Experiment:
        """Return self.

        Raises:
            FindingsError: the file has errors.
        """
        Compilation(findings=self.lint()).check()
        return self

    def diff(
        self,
        *,
        rerun: bool = False,
        limits: Limits | None = None,
        session: Session | None = None,
    ) -> Plan:
        """Return what `apply` would do, with findings for what it could not.

        Raises:
            FindingsError: the file has errors.
        """
        from bai.runtime.plan.plan import make_plan

        self.check()
        session = session or self.open()
        return make_plan(self.compile(limits), session.provider, rerun=rerun)

    def apply(
        self,
        plan: Plan | None = None,
        *,
        rerun: bool = False,
        limits: Limits | None = None,
        session: Session | None = None,
    ) -> Result:
        """Make it so: create what is missing, start the jobs, and return without waiting.

        Args:
            plan: a plan that `diff` made; by default a new one.
            rerun: whether jobs that have changed or ended shall run again.
            limits: how to scale the run down.
            session: an open context; by default the experiment's own is opened.

        Raises:
            FindingsError: the file has errors, or the context can't run it. Nothing is changed.
            ConflictError: a job has changed and `rerun` is not set, or runs still.
        """
        self.check()
        session = session or self.open()
        plan = plan or self.diff(rerun=rerun, limits=limits, session=session)
        applied = tuple(self.steps(plan, session, rerun=rerun))
        return Result(applied, jobs_of(plan, session))

    def steps(self, plan: Plan, session: Session, *, rerun: bool) -> Iterator[Applied]:
        """Execute a plan, one change after the other.

        Raises:
            FindingsError, ConflictError: as `apply` does, before the first change.
        """
        from bai.runtime.plan.execute import execute

        return execute(plan, session.provider, replace_jobs=rerun)

    def open(self) -> Session:
        """Open the context that the experiment was loaded for.

        Raises:
            StateError: its state folder can't be used.
        """
        from bai.session import Session

        return Session(self.context)


def jobs_of(plan: Plan, session: Session) -> dict[str, JobHandle]:
    """Return the jobs of a plan that live, by name."""
    ids = [change.resource.id for change in plan.changes if change.resource.id.kind is Kind.JOB]
    return {id.name: session.handle(id) for id in ids if session.provider.attempts(id)}


def load(path: str | os.PathLike[str], context: str | None = None) -> Experiment:
    """Load a spec's file. What is wrong with it is told by `lint`, and raised by `apply`.

    Raises:
        ContextError: there is no such context.
    """
    return Experiment(load_file(path), select(context, Path.cwd()))


def loads(text: str, context: str | None = None) -> Experiment:
    """Load a spec from a string; its relative paths start from the working directory.

    Raises:
        ContextError: there is no such context.
    """
    folder = Path.cwd()
    return Experiment(load_text(text, "<string>", str(folder)), select(context, folder))
