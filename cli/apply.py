"""bai apply."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Annotated

import typer

from bai.cli import interrupts, options
from bai.cli.exits import Exit
from bai.cli.sessions import up_to_date
from bai.cli.terminal import confirm, is_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bai.compiler.resources.sweep import SweepId
    from bai.experiment import Experiment
    from bai.limits import Limits
    from bai.result import Result
    from bai.runtime.plan.execute import Applied
    from bai.runtime.plan.plan import Plan
    from bai.session import Session


def apply(
    files: options.SpecFiles,
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Return as soon as the jobs are queued.")
    ] = False,
    rerun: options.Rerun = False,
    rerun_job: options.RerunJob = None,
    dry_run: Annotated[
        str | None,
        typer.Option(
            metavar="client|server",
            help="Start nothing. client: only compile; server, also without a value: show the "
            "plan, as `bai diff`.",
        ),
    ] = None,
    max_nodes: options.MaxNodes = None,
    max_processes: options.MaxProcesses = None,
    without_containers: options.WithoutContainers = False,
    with_preparation: options.WithPreparation = False,
    yes: options.Yes = False,
    output: Annotated[
        str | None,
        options.output("json", "name", use=": results on stdout, everything else on stderr"),
    ] = None,
    parameter: options.Parameter = None,
    parameters: options.ParametersFile = None,
    context: options.ContextName = None,
) -> None:
    """Create what specs declare, start their jobs and follow them.

    Ctrl-C leaves the jobs running; the same command follows them again. Exit code: 0 no job of the
    specs has failed, 1 one has (with --detach: in an earlier run), 2 nothing was done.
    """
    from bai.cli.render.plan import print_results
    from bai.cli.spec_files import checked_specs
    from bai.result import Result, jobs_of

    if dry_run is not None:
        options.one_of(dry_run, ("client", "server"), "--dry-run")
    # What people read makes room for what programs read.
    out = sys.stdout if output is None else sys.stderr
    done: list[Applied] = []
    with _reporting_interrupts(done, out):
        experiment = checked_specs(files, context, parameter, parameters)
        limits = options.limits(
            max_nodes,
            max_processes,
            without_containers=without_containers,
            with_preparation=with_preparation,
        )
        if dry_run == "client":
            _compiled(experiment, limits, output)
            return
        session = up_to_date(experiment.open())
        plan = experiment.diff(rerun=rerun or rerun_job or False, limits=limits, session=session)
        if dry_run == "server":
            _planned(plan, experiment, out, output)
            return
        _execute(experiment, plan, session, out, done, yes=yes, followed=not detach)
        result = Result(done, jobs_of(plan, session))
        code = _follow(result, session, out, detach=detach)
        if output is not None:
            words = {step.change.resource.id: step.word for step in done}
            print_results(words, output, sys.stdout, session.label, result.jobs.values())
        raise typer.Exit(code)


@contextmanager
def _reporting_interrupts(done: Sequence[Applied], out: IO[str]) -> Iterator[None]:
    """Say what was started, if Ctrl-C comes before the jobs are followed.

    Args:
        done: the steps that were made, all of them at the end.
        out: where to write.
    """
    try:
        yield
    except KeyboardInterrupt:
        from bai.cli.follow import print_detached
        from bai.compiler.resources.ids import Kind
        from bai.compiler.resources.short_names import ShortNames
        from bai.compiler.resources.sweep import sweep_of

        names = ShortNames(step.change.resource.id for step in done)
        put = [step.change.resource for step in done if step.word != "unchanged"]
        jobs = {
            names.name(each.id): sweep_of(each.id, each.wire)
            for each in put
            if each.id.kind is Kind.JOB
        }
        if jobs:
            print_detached(jobs, out)
        else:
            out.write("interrupted: nothing was started\n")
        raise typer.Exit(Exit.INTERRUPTED) from None


def _execute(
    experiment: Experiment,
    plan: Plan,
    session: Session,
    out: IO[str],
    done: list[Applied],
    *,
    yes: bool,
    followed: bool,
) -> None:
    """Show a plan, ask about it if need be, execute it, and report each step.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed. A step that had begun is made.
    """
    from bai.cli.render.applied import StepLines
    from bai.cli.steps import report_steps
    from bai.specs.findings import errors

    unwritten = None
    try:
        show(plan, out, experiment.texts, full=False)
    except OSError as error:
        if errors(plan.findings):
            raise
        # The plan is executed though nobody can read it.
        unwritten = error
    agreed = _confirmed(plan, yes=yes)

    lines = StepLines(plan, session, followed=followed)

    def say(step: Applied) -> None:
        if line := lines.after(step):
            out.write(f"{line}\n")
            out.flush()

    def steps() -> Iterator[Applied]:
        for step in planned:
            done.append(step)
            yield step
            if interrupts.is_pending():
                out.writelines(f"{line}\n" for line in lines.rest())
                out.write("not all was done: the same command does the rest\n")
                return

    planned = experiment.steps(plan, session, rerun=agreed)
    with interrupts.held():
        report_steps(steps(), say, unwritten)


def _planned(plan: Plan, experiment: Experiment, out: IO[str], output: str | None) -> None:
    """Show a plan that won't be executed."""
    from bai.cli.render.plan import print_results

    show(plan, out, experiment.texts, full=True)
    if output is not None:
        results = {change.resource.id: change.action.value for change in plan.changes}
        print_results(results, output, sys.stdout)


def _compiled(experiment: Experiment, limits: Limits, output: str | None) -> None:
    from bai.cli.render.plan import print_results
    from bai.compiler.resources.short_names import ShortNames

    ids = {r.id: "compiled" for each in experiment.compile(limits) for r in each.resources}
    if output is not None:
        print_results(ids, output, sys.stdout)
        return
    for label in map(ShortNames(ids).label, ids):
        typer.echo(f"{label} compiles (dry run)")


def show(
    plan: Plan, out: IO[str], texts: Mapping[str, str], *, full: bool, wire: bool = False
) -> None:
    """Print the plan where there is more to it than creating things, or all, and its findings.

    Of a plan that won't be executed, what is to be created is of no interest. With `wire`, the plan
    speaks of Batch AI's wire forms in place of specs.

    Raises:
        typer.Exit: the plan is refused.
    """
    from bai.cli.render.findings import print_findings
    from bai.cli.render.plan import print_plan
    from bai.specs.findings import errors

    refused = bool(errors(plan.findings))
    worth = {"refuse"} if refused else {"update", "replace", "rerun", "refuse"}
    notes = plan.notes and not refused
    if full or notes or any(change.action in worth for change in plan.pending):
        print_plan(plan, out, full=full, wire=wire)
    if plan.findings:
        # Where both go to one file, the plan comes first.
        out.flush()
        print_findings(plan.findings, sys.stderr, texts)
    if refused:
        raise typer.Exit(Exit.USAGE)


def _confirmed(plan: Plan, *, yes: bool) -> bool:
    if yes or not plan.unasked:
        return yes
    if not (is_terminal() and sys.stdout.isatty()):
        return False
    names = ", ".join(plan.label(change.resource.id) for change in plan.unasked)
    confirm(f"Start a new attempt in the place of {names}?")
    return True


def _follow(applied: Result, session: Session, out: IO[str], *, detach: bool) -> Exit:
    """Follow what was started and what runs still, unless detached.

    Returns:
        FAILED also if a job failed before that was left alone: a retry must not hide it.
    """
    from bai.cli.follow import follow, result
    from bai.cli.sweeps import standing
    from bai.compiler.resources.sweep import sweep_of
    from bai.sweeps import SweepHandle

    changed = {step.change.resource.id for step in applied.applied if step.word != "unchanged"}
    # Asked once: what ends in between is followed to its end all the same.
    kept = [job for job in applied.jobs.values() if job.id not in changed and job.state.ended]
    old = {job.id for job in kept}
    going = {session.reference(job.id): job for job in applied.jobs.values() if job.id not in old}
    code = result(kept)
    wires = {step.change.resource.id: step.change.resource.wire for step in applied.applied}
    sweeps = {job.id: sweep_of(job.id, wires[job.id]) for job in going.values()}
    if not detach and going:
        followed = follow(going, out)
        if followed is not Exit.INTERRUPTED:
            for id in dict.fromkeys(sweeps[job.id] for job in going.values()):
                if id and (sweep := session.provider.sweep(id)):
                    line = standing(SweepHandle(session.provider, sweep))
                    out.write(f"{line}; `bai describe sweep {id.name}` shows each\n")
        return followed or code
    ways = (_way(sweeps[job.id], name) for name, job in going.items() if job.id in changed)
    # The members of a sweep have one way.
    out.writelines(f"{way}\n" for way in dict.fromkeys(ways))
    return code


def _way(sweep: SweepId | None, job: str) -> str:
    """Return how to come back to a job, or to the sweep that it is a member of."""
    if sweep is None:
        return f"follow it with `bai logs -f {job}`, end it with `bai cancel {job}`"
    return f"wait for it with `bai wait {sweep.label}`, end it with `bai cancel {sweep.label}`"
