"""bai apply."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bai.job import JobHandle
    from bai.runtime.plan.plan import Plan


def apply(
    file: options.SpecFile,
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Return once the jobs are queued.")
    ] = False,
    rerun: options.Rerun = False,
    dry_run: Annotated[
        str | None,
        typer.Option(
            help="Show the plan and stop: `client` compiles only, `server` asks the state, too.",
            show_default=False,
        ),
    ] = None,
    max_nodes: options.MaxNodes = None,
    max_processes: options.MaxProcesses = None,
    without_containers: options.WithoutContainers = False,
    yes: options.Yes = False,
    context: options.ContextName = None,
) -> None:
    """Make what the spec says so, start its jobs and follow them.

    Ctrl-C leaves the jobs running. Exit code: 0 all jobs succeeded, 1 a job failed, 2 nothing done.
    """
    from bai.experiment import Limits, jobs_of, load

    if dry_run not in (None, "client", "server"):
        raise typer.BadParameter(
            f"{dry_run!r} is neither client nor server", param_hint="--dry-run"
        )
    experiment = load(file, context).check()
    limits = Limits(max_nodes, max_processes, without_containers)
    if dry_run == "client":
        for compilation in experiment.compile(limits):
            for resource in compilation.resources:
                typer.echo(f"{resource.id.kind.singular}/{resource.id.name} compiles (dry run)")
        return
    session = experiment.open()
    plan = experiment.diff(rerun=rerun, limits=limits, session=session)
    _show(plan)
    if dry_run == "server":
        return
    rerun = rerun or _confirmed(plan, yes=yes)
    started = []
    for step in experiment.steps(plan, session, rerun=rerun):
        id = step.change.resource.id
        typer.echo(f"{id.kind.singular}/{id.name} {step.word}")
        if id.kind == "jobs" and step.word != "unchanged":
            started.append(id.name)
    jobs = jobs_of(plan, session)
    if started:
        _started([jobs[name] for name in started], detach=detach)


def _show(plan: Plan) -> None:
    """Print the plan where there is more to it than creating things, and all its findings."""
    from bai.cli.render.findings import print_findings
    from bai.cli.render.plan import print_plan
    from bai.specs.findings import errors

    if plan.notes or any(change.action != "create" for change in plan.pending):
        print_plan(plan, sys.stdout, full=False)
    if plan.findings:
        print_findings(plan.findings, sys.stderr)
    if errors(plan.findings):
        raise typer.Exit(Exit.USAGE)


def _confirmed(plan: Plan, *, yes: bool) -> bool:
    if yes or not plan.replaced_jobs:
        return yes
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    names = ", ".join(change.resource.id.name for change in plan.replaced_jobs)
    return typer.confirm(f"Start a new attempt in the place of {names}?", abort=True)


def _started(jobs: Sequence[JobHandle], *, detach: bool) -> None:
    from bai.cli.follow import follow

    if detach:
        for job in jobs:
            typer.echo(
                f"follow it with `bai logs -f {job.name}`, end it with `bai cancel {job.name}`"
            )
        return
    raise typer.Exit(follow(jobs))
