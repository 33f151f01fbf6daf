"""A spec, in the hands of a person: load, lint, compile, diff, apply."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bai.arguments import expect
from bai.compiler.compilation import Compilation, findings_of
from bai.compiler.compile import compile_specs
from bai.compiler.passes.gpus import with_gpus
from bai.compiler.resources.ids import Kind, ResourceId
from bai.limits import Limits
from bai.linter.check import check
from bai.linter.driver.loading import load_specs
from bai.linter.driver.settings_files import SettingsFinder
from bai.result import Result, jobs_of
from bai.runtime.context import Context
from bai.specs.errors import ContextError
from bai.specs.findings import Finding, in_order
from bai.specs.load import LoadResult
from bai.specs.models.kinds import contents
from bai.specs.parameters.given import from_python
from bai.specs.parameters.records import Given, GivenValues
from bai.specs.parsed_file import ParsedFile
from bai.specs.words import counted

if TYPE_CHECKING:
    # Linting and compiling need no database and no engine: those are imported where they are used.
    from pathlib import Path

    from bai.deletion import Deletion
    from bai.runtime.code.folders import DiskFolders
    from bai.runtime.code.snapshots import Snapshots
    from bai.runtime.plan.execute import Applied
    from bai.runtime.plan.plan import Plan
    from bai.session import Session


class Experiment:
    """The specs of one file or several."""

    def __init__(
        self,
        files: Sequence[ParsedFile],
        context: Context,
        parameters: Mapping[str, Given] | None = None,
    ) -> None:
        """Load the specs of files; `bai.load` reads these.

        Args:
            files: the files.
            context: the place to run.
            parameters: values of the specs' parameters, by their names.
        """
        self._files = files
        self._given = dict(parameters or {})
        values = GivenValues(self._given, are_all=True)
        self._loaded = LoadResult.joined([load_specs(file, values) for file in files])
        self.context = context

    def with_parameters(self, **values: Any) -> Experiment:
        """Return the experiment with other values of parameters; it stays as it is itself.

        Values that it was loaded with remain, unless they are given anew.

        Raises:
            TypeError: a value is no str, int, float or bool.
        """
        return Experiment(self._files, self.context, self._given | from_python(values))

    @property
    def texts(self) -> Mapping[str, str]:
        """File, as findings name it -> the text that its specs were read from."""
        return {spec.document.file: spec.document.text for spec in self._loaded.specs}

    def compile(self, limits: Limits | None = None) -> list[Compilation]:
        """Return the compilation of each spec that can be loaded; wrong ones carry findings."""
        limits = _checked(limits)
        return [limits.apply(compilation) for compilation in self._valid]

    def _compiled_for(self, session: Session, limits: Limits | None) -> list[Compilation]:
        """Return the compilation of each spec as it will run in an open context.

        Raises:
            FindingsError: what only the machines there can say is missing.
        """
        limits, gpus = _checked(limits), session.provider.gpus
        found = [with_gpus(each, gpus, limits.max_processes) for each in self._valid]
        Compilation(findings=tuple(finding for each in found for finding in each.findings)).check()
        return [limits.apply(each) for each in found]

    @property
    def _valid(self) -> Iterator[Compilation]:
        pairs = zip(self._loaded.specs, self._compilations, strict=True)
        return (compilation for spec, compilation in pairs if spec.is_valid)

    @cached_property
    def _compilations(self) -> Sequence[Compilation]:
        """The compilation of each spec; in parts of those that are not valid."""
        # One command asks several times, for its checks and for its plan.
        specs, defaults = self._loaded.specs, self.context.defaults
        return check(specs, compile_specs(specs, defaults, self._folders), self._settings.below)

    @cached_property
    def _folders(self) -> DiskFolders | None:
        """The folders of code that jobs name; None if they name none."""
        jobs = (job for spec in self._loaded.specs for job in contents(spec.model).jobs.values())
        if not any(job.code for job in jobs):
            return None
        from bai.runtime.code.folders import DiskFolders

        return DiskFolders(self.context.code_limit, self._own_folders)

    def _own_folders(self) -> Collection[Path]:
        """Return the folders that bai itself and jobs write to."""
        # A spec can be compiled for a context whose provider is not installed here.
        with suppress(ContextError):
            return (self.context.state, self.context.storage)
        return ()

    def _snapshots(self, session: Session) -> Snapshots | None:
        """Return the snapshots of code in the storage of an open context."""
        if self._folders is None:
            return None
        from bai.runtime.accounts import Accounts
        from bai.runtime.code.snapshots import Snapshots

        return Snapshots(Accounts(session.context.storage), self._folders)

    @cached_property
    def _settings(self) -> SettingsFinder:
        return SettingsFinder()

    def check_for_azure(self, compilations: Sequence[Compilation]) -> list[Finding]:
        """Return what means something on this machine, and nothing to `az batchai`.

        Args:
            compilations: what `compile` returned.
        """
        from bai.compiler.emit.az import check_for_az
        from bai.linter.suppressions.apply import Reported

        reported = Reported(self._settings.below)
        pairs = zip(self._loaded.specs, compilations, strict=True)
        return [found for spec, each in pairs for found in reported.of(check_for_az(each), spec)]

    def write_code(self, compilation: Compilation, folder: Path) -> list[Path]:
        """Write the code of jobs beside files for `az batchai`, and return the new folders.

        Args:
            compilation: one that `compile` returned.
            folder: the folder of these files.

        Raises:
            StorageError: it can't be written.
        """
        codes = {r.code.name: r.code for r in compilation.resources if r.code}
        if not codes or self._folders is None:
            return []
        from bai.compiler.emit.az_script import SNAPSHOTS
        from bai.runtime.code.snapshots import keep_out, write_code

        for code in codes.values():
            keep_out(code, folder)
            write_code(code, self._folders, folder / SNAPSHOTS)
        return [folder / SNAPSHOTS / name for name in codes]

    def lint(self) -> tuple[Finding, ...]:
        """Return all that `bai lint` finds in the files.

        Unlike the other methods, it looks at what is on this machine: scripts, ShellCheck.

        Raises:
            ContextError: the settings of `bai lint` are not valid.
        """
        from bai.linter.driver.linter import Linter, Options

        parameters = GivenValues(self._given)
        options = Options(lambda: self.context.defaults, parameters=parameters)
        return Linter(options).together(self._files)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What reading and compiling the specs finds; with an error, they can't be run."""
        found = [*self._loaded.findings, *findings_of(self._compilations)]
        if self._given and not any(file.syntax_errors for file in self._files):
            # Few runs are given values, and start-up time counts for all.
            from bai.specs.parameters.filling import unknown_names
            from bai.specs.parameters.values import declared

            # What could not be read may declare a parameter.
            documents = (document for file in self._files for document in file.documents)
            known = (name for document in documents for name in declared(document))
            found += unknown_names(self._given, known)
        return in_order(found, (file.name for file in self._files))

    def check(self) -> Experiment:
        """Return self.

        Raises:
            FindingsError: the file has errors.
        """
        Compilation(findings=self.findings).check()
        return self

    def diff(
        self,
        *,
        rerun: bool | Collection[str] = False,
        limits: Limits | None = None,
        session: Session | None = None,
    ) -> Plan:
        """Return what `apply` would do, with findings for what it could not.

        Args:
            rerun: whether jobs that have changed or ended shall run again; or the names of those
                that shall, NAME or EXPERIMENT/NAME.
            limits: how to scale the run down.
            session: an open context; by default the experiment's own is opened.

        Raises:
            FindingsError: the file has errors.
            NotFoundError: the specs have no job of a name in `rerun`, or several.
        """
        from bai.linter.preflight import preflight
        from bai.runtime.mounts.ways import fuse_accounts
        from bai.runtime.plan.diff import make_plan

        self.check()
        session = self._opened(session)
        compiled = self._compiled_for(session, limits)
        chosen = rerun if isinstance(rerun, bool) else _jobs_named(rerun, compiled)
        by_fuse = fuse_accounts(self.context.accounts)
        noticed = preflight(self._loaded.specs, compiled, self.context.engine, by_fuse)
        newer = session.newer_files()
        return make_plan(
            compiled,
            session.provider,
            rerun=chosen,
            noticed=noticed,
            newer=newer,
            snapshots=self._snapshots(session),
        )

    def submissions(
        self, *, limits: Limits | None = None, session: Session | None = None
    ) -> list[Mapping[str, Any]]:
        """Return what the engine would start for each job, as JSON data; nothing is started.

        `diff` says what else hinders a job. What the specs say of secrets are references here, too.

        Args:
            limits: how to scale the run down.
            session: an open context; by default the experiment's own is opened.

        Raises:
            FindingsError: the file has errors.
        """
        self.check()
        session = self._opened(session)
        compiled = self._compiled_for(session, limits)
        desired = {r.id: r for each in compiled for r in each.resources}
        jobs = [resource for id, resource in desired.items() if id.kind is Kind.JOB]
        return [session.provider.submission(job, desired) for job in jobs]

    def apply(
        self,
        plan: Plan | None = None,
        *,
        rerun: bool | Collection[str] = False,
        limits: Limits | None = None,
        session: Session | None = None,
    ) -> Result:
        """Make it so: create what is missing, start the jobs, and return without waiting.

        Args:
            plan: a plan that `diff` made; by default a new one.
            rerun: whether jobs that have changed or ended shall run again, or which ones, as for
                `diff`. A plan that was made with it does not need it again.
            limits: how to scale the run down.
            session: an open context; by default the experiment's own is opened.

        Raises:
            FindingsError: the file has errors, or the context can't run it. Nothing is changed.
            ConsentError: a job has changed, and `rerun` does not include it.
            ConflictError: such a job runs still, or the live side has changed since the plan.
            NotFoundError: the specs have no job of a name in `rerun`, or several.
            StorageError: the code of a job can't be copied; nothing is changed.
            ValueError: the plan was made without these `limits` or `rerun`.
        """
        self.check()
        session = self._opened(session)
        if plan is None:
            plan = self.diff(rerun=rerun, limits=limits, session=session)
        else:
            self._check_plan(plan, rerun=rerun, limits=limits)
        applied = tuple(self.steps(plan, session, rerun=rerun is True))
        return Result(applied, jobs_of(plan, session))

    def _check_plan(
        self, plan: Plan, *, rerun: bool | Collection[str], limits: Limits | None
    ) -> None:
        """Check that nothing is asked of a plan that it can't do any more."""
        from bai.runtime.plan.plan import Action, Plan

        expect(plan, Plan, "plan must be what diff returns")
        if limits is not None:
            raise ValueError("limits count when a plan is made: give them to diff, not to apply")
        if isinstance(rerun, bool):
            return
        runs = {c.resource.id for c in plan.changes if c.asked or c.action is Action.CREATE}
        if late := _jobs_named(rerun, self.compile()) - runs:
            names = sorted(map(plan.name, late))
            raise ValueError(f"the plan was made without a new attempt: give rerun={names} to diff")

    def steps(self, plan: Plan, session: Session, *, rerun: bool) -> Iterator[Applied]:
        """Execute a plan, one change after the other.

        Args:
            plan: what to do.
            session: the context that it was made for.
            rerun: whether all jobs that have changed shall run again, also those for which the
                plan was not asked.

        Raises:
            FindingsError, ConflictError: as `apply` does, before the first change.
            StorageError: the code of a job can't be copied; nothing has been changed.
        """
        from bai.runtime.plan.execute import execute

        snapshots = self._snapshots(session)
        return execute(plan, session.provider, replace_jobs=rerun, snapshots=snapshots)

    def deletion(self, session: Session) -> Deletion:
        """Return which of the living resources that the specs declare can be deleted."""
        from bai.deletion import deletion

        return deletion(self._loaded.specs, self.compile(), session)

    def living(self, session: Session) -> list[ResourceId]:
        """Return what the specs declare and what lives, in an order in which it can be deleted.

        What others use is not among it, and neither is a workspace without a document of its own.
        """
        return list(self.deletion(session).ids)

    def open(self) -> Session:
        """Open the context that the experiment was loaded for.

        Raises:
            StateError: its state folder can't be used.
        """
        from bai.session import Session

        return Session(self.context)

    def _opened(self, session: Session | None) -> Session:
        """Return the session that was given, or one of the experiment's own context."""
        if session is None:
            return self.open()
        from bai.session import Session

        expect(session, Session, "session must be what bai.connect returns")
        return session

    def __repr__(self) -> str:
        names = "".join(f" {spec.model.metadata.name}" for spec in self._loaded.specs)
        wrong = f", {counted(len(self.findings), 'finding')}" if self.findings else ""
        return f"<Experiment{names} in context {self.context.name}{wrong}>"


def _checked(limits: Limits | None) -> Limits:
    """Return limits that were given, or none at all.

    Raises:
        TypeError: they are something else.
    """
    if limits is None:
        return Limits()
    expect(limits, Limits, "limits must be a bai.Limits")
    return limits


def _jobs_named(
    names: Collection[str], compilations: Sequence[Compilation]
) -> frozenset[ResourceId]:
    """Return the jobs of these names; one name may also come alone.

    Raises:
        NotFoundError: there is none of a name, or there are several.
    """
    from bai.runtime.errors import NotFoundError
    from bai.specs.names import suggestion

    what = "rerun must be True, False, the name of a job, or a collection of such names"
    expect(names, Collection, what)
    jobs = [r.id for each in compilations for r in each.resources if r.id.kind is Kind.JOB]
    chosen: set[ResourceId] = set()
    for name in [names] if isinstance(names, str) else names:
        expect(name, str, "the name of a job in rerun must be a str")
        found = {id for id in jobs if id.is_called(name)}
        if len(found) > 1:
            places = ", ".join(sorted(f"{id.experiment}/{id.name}" for id in found))
            raise NotFoundError(f"the specs have several jobs {name!r}: say which of {places}")
        if not found:
            known = sorted({id.name for id in jobs})
            hint = suggestion(name.split("/")[-1], known) if known else "they have no jobs"
            raise NotFoundError(f"the specs have no job {name!r} ({hint})")
        chosen |= found
    return frozenset(chosen)
