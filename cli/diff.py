"""bai diff."""

from __future__ import annotations

import sys

import typer

from bai.cli import options
from bai.cli.exits import Exit


def diff(
    files: options.SpecFiles,
    rerun: options.Rerun = False,
    rerun_job: options.RerunJob = None,
    max_nodes: options.MaxNodes = None,
    max_processes: options.MaxProcesses = None,
    without_containers: options.WithoutContainers = False,
    context: options.ContextName = None,
) -> None:
    """Show what apply would do.

    Exit code: 0 no changes, 1 changes, 2 errors.
    """
    from bai.cli.render.findings import print_findings
    from bai.cli.render.plan import print_plan
    from bai.cli.spec_files import checked_specs
    from bai.experiment import Limits
    from bai.specs.findings import errors

    experiment = checked_specs(files, context)
    limits = Limits(max_nodes, max_processes, without_containers)
    plan = experiment.diff(rerun=rerun or rerun_job or False, limits=limits)
    print_plan(plan, sys.stdout, full=True)
    if plan.findings:
        # Where both go to one file, the plan comes first.
        sys.stdout.flush()
        print_findings(plan.findings, sys.stderr, experiment.texts)
    if errors(plan.findings):
        raise typer.Exit(Exit.USAGE)
    raise typer.Exit(Exit.FAILED if plan.pending else Exit.OK)
