"""Following jobs to their end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO

from bai.cli.exits import Exit
from bai.cli.render.live import ALL_LINES, FollowedJob, LineChoice, show_live
from bai.cli.render.screen import Screen
from bai.cli.render.summary import print_summary
from bai.compiler.resources.sweep import SweepId
from bai.handle import JobHandle


def follow(
    jobs: Mapping[str, JobHandle],
    out: IO[str],
    lines: LineChoice = ALL_LINES,
) -> Exit:
    """Show jobs until all have ended, and how each ended as soon as it has.

    Ctrl-C detaches and prints how to follow the jobs again.

    Args:
        jobs: what to follow, by the names that commands take.
        out: where to write.
        lines: which of their lines to show.

    Returns:
        The exit code of the command.
    """
    screen = Screen(out)
    (provider,) = {job.provider for job in jobs.values()}
    going = {
        name: FollowedJob(job, name, screen, lines, prefixed=len(jobs) > 1)
        for name, job in jobs.items()
    }
    followed = dict(going)
    try:
        for name in show_live(going, screen, provider):
            print_summary(jobs[name], name, out, is_in_sight=followed[name].is_in_sight)
            out.flush()
    except KeyboardInterrupt:
        if going:
            out.write("\n")
            print_detached({name: each.attempt.sweep for name, each in going.items()}, out)
            return Exit.INTERRUPTED
    return result(jobs.values())


def print_detached(jobs: Mapping[str, SweepId | None], out: IO[str]) -> None:
    """Print that jobs go on, and how to come back to each, or to the sweep of several.

    Args:
        jobs: name -> the sweep that the job is a member of.
        out: where to write.
    """
    out.write(f"detached: the job{'s go' if len(jobs) > 1 else ' goes'} on\n")
    ways = (
        (f"wait      bai wait {sweep.label}", sweep.label)
        if sweep
        else (f"reattach  bai logs -f {name}", name)
        for name, sweep in jobs.items()
    )
    for way, name in dict.fromkeys(ways):
        out.write(f"  {way}\n  cancel    bai cancel {name}\n")


def result(jobs: Iterable[JobHandle]) -> Exit:
    """Return the exit code for jobs that have ended."""
    return Exit.FAILED if any(job.attempt.has_failed for job in jobs) else Exit.OK
