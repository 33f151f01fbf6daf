"""bai diff."""

from __future__ import annotations

import sys

import typer

from bai.cli import options
from bai.cli.apply import show
from bai.cli.exits import Exit
from bai.cli.sessions import up_to_date


def diff(
    files: options.SpecFiles,
    rerun: options.Rerun = False,
    rerun_job: options.RerunJob = None,
    max_nodes: options.MaxNodes = None,
    max_processes: options.MaxProcesses = None,
    without_containers: options.WithoutContainers = False,
    with_preparation: options.WithPreparation = False,
    parameter: options.Parameter = None,
    parameters: options.ParametersFile = None,
    wire: options.Wire = False,
    context: options.ContextName = None,
) -> None:
    """Show what apply would do.

    Exit code: 0 no changes, 1 changes, 2 errors.
    """
    from bai.cli.spec_files import checked_specs

    experiment = checked_specs(files, context, parameter, parameters)
    limits = options.limits(
        max_nodes,
        max_processes,
        without_containers=without_containers,
        with_preparation=with_preparation,
    )
    session = up_to_date(experiment.open())
    plan = experiment.diff(rerun=rerun or rerun_job or False, limits=limits, session=session)
    show(plan, sys.stdout, experiment.texts, full=True, wire=wire)
    raise typer.Exit(Exit.FAILED if plan.is_pending else Exit.OK)
