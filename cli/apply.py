"""bai apply."""

from __future__ import annotations

import sys
from typing import IO, TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.terminal import confirm, is_terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bai.experiment import Experiment, Limits, Result
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
    yes: options.Yes = False,
    output: Annotated[
        str | None,
        options.output("json", "name", use=": results on stdout, everything else on stderr"),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Create what specs declare, start their jobs and follow them.

    Ctrl-C leaves the jobs running; the same command follows them again. Exit code: 0 no job of the
    specs has failed, 1 one has (with --detach: in an earlier run), 2 nothing was done.
    """
    from bai.cli.render.plan import print_results
    from bai.cli.spec_files import checked_specs
    from bai.cli.steps import report_steps
    from bai.experiment import Limits, Result, jobs_of
    from bai.specs.findings import errors

    if dry_run is not None:
        options.one_of(dry_run, ("client", "server"), "--dry-run")
    # What people read makes room for what programs read.
    out = sys.stdout if output is None else sys.stderr
    experiment = checked_specs(files, context)
    limits = Limits(max_nodes, max_processes, without_containers)
    if dry_run == "client":
        _compiled(experiment, limits, output)
        return
    session = experiment.open()
    plan = experiment.diff(rerun=rerun or rerun_job or False, limits=limits, session=session)
    unwritten = None
    try:
        show(plan, out, experiment.texts, full=dry_run == "server")
    except OSError as error:
        if dry_run or errors(plan.findings):
            raise
        # The plan is executed though nobody can read it.
        unwritten = error
    if dry_run == "server":
        if output is not None:
            results = {change.resource.id: change.action.value for change in plan.changes}
            print_results(results, output, sys.stdout)
        return
    agreed = _confirmed(plan, yes=yes)
    steps = []

    def say(step: Applied) -> None:
        steps.append(step)
        out.write(_told(step, plan, session, followed=not detach) + "\n")
        out.flush()

    report_steps(experiment.steps(plan, session, rerun=agreed), say, unwritten)
    result = Result(steps, jobs_of(plan, session))
    code = _follow(result, session, out, detach=detach)
    if output is not None:
        done = {step.change.resource.id: step.word for step in steps}
        print_results(done, output, sys.stdout, session.label, result.jobs.values())
    raise typer.Exit(code)


def _compiled(experiment: Experiment, limits: Limits, output: str | None) -> None:
    from bai.cli.render.plan import print_results

    ids = {r.id: "compiled" for each in experiment.compile(limits) for r in each.resources}
    if output is not None:
        print_results(ids, output, sys.stdout)
        return
    for id in ids:
        typer.echo(f"{id.kind.singular}/{id.short_name(ids)} compiles (dry run)")


def show(plan: Plan, out: IO[str], texts: Mapping[str, str], *, full: bool) -> None:
    """Print the plan where there is more to it than creating things, or all, and its findings.

    Of a plan that won't be executed, what is to be created is of no interest.

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
        print_plan(plan, out, full=full)
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


def _told(step: Applied, plan: Plan, session: Session, *, followed: bool) -> str:
    """Return a step's result in a line; of a job that is left alone, also how it stands."""
    from bai.cli.render.summary import standing

    id, live = step.change.resource.id, step.change.live
    line = f"{plan.label(id)} {step.word}"
    if step.word == "unchanged" and live and live.attempt:
        stands = standing(session.handle(id), session.reference(id), followed=followed)
        newer = step.change.newer_files
        return f"{line} ({stands})" + (f"; {newer}" if newer else "")
    return line


def _follow(applied: Result, session: Session, out: IO[str], *, detach: bool) -> Exit:
    """Follow what was started and what runs still, unless detached.

    Returns:
        FAILED also if a job failed before that was left alone: a retry must not hide it.
    """
    from bai.cli.follow import follow, result

    changed = {step.change.resource.id for step in applied.applied if step.word != "unchanged"}
    # Asked once: what ends in between is followed to its end all the same.
    kept = [job for job in applied.jobs.values() if job.id not in changed and job.state.ended]
    old = {job.id for job in kept}
    going = {session.reference(job.id): job for job in applied.jobs.values() if job.id not in old}
    code = result(kept)
    if not detach and going:
        return follow(going, out) or code
    for name, job in going.items():
        if job.id in changed:
            out.write(f"follow it with `bai logs -f {name}`, end it with `bai cancel {name}`\n")
    return code
