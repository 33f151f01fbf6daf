"""Runs the benchmark with 1, 2 and 4 processes, and shows how much faster more of them are.

python scaling.py [SPEC] [--plot scaling.svg] [--context NAME]
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import bai

SWEEP = "scaling"
SEED = (8, 224.96)
"""Processes and images/sec of the recipe's page: ResNet-101, 2 x STANDARD_NC24r, 8 K80."""
PUBLISHED = 90
"""Percent, by Horovod's own page of benchmarks: ResNet-101 and Inception V3, up to 512 P100."""

# Of the same contrast on white and on black.
INK, LINE = "#7d7d7d", "#2f7fd6"


@dataclass(frozen=True)
class Row:
    """What one job of the sweep measured."""

    processes: int
    speed: float
    """Images a second of all processes."""
    efficiency: float
    """Percent of the speed of as many processes that do not wait for each other."""


def measure(spec: Path, context: str | None) -> list[Row]:
    """Run the jobs that have not run yet, and return their rows by number of processes."""
    bai.load(spec, context=context).apply()
    sweep = bai.connect(context).sweep(SWEEP).wait()
    if sweep.failed:
        names = ", ".join(member.job.name for member in sweep.failed)
        sys.exit(f"error: these jobs failed: {names}; `bai logs NAME` shows why")
    speeds = {each.point["processes"]: each.metric or 0.0 for each in sweep.members}
    return rows(speeds)


def rows(speeds: dict[int, float]) -> list[Row]:
    """Return a row for each number of processes, compared with one process."""
    alone = speeds[1]
    return [Row(n, speed, 100 * speed / (n * alone)) for n, speed in sorted(speeds.items())]


def table(found: list[Row]) -> str:
    """Return the rows as text."""
    lines = ["processes  images/sec  per process  efficiency"]
    lines += [
        f"{row.processes:9}  {row.speed:10.2f}  {row.speed / row.processes:11.2f}"
        f"  {row.efficiency:8.0f} %"
        for row in found
    ]
    return "\n".join(lines)


def plot(found: list[Row], path: Path) -> None:
    """Draw the rows beside what others have published, as SVG for light and dark pages."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams |= dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor"), INK)
    mpl.rcParams |= {"xtick.color": INK, "ytick.color": INK, "svg.hashsalt": SWEEP}
    figure = Figure(figsize=(9, 4.4), layout="constrained")
    speed, efficiency = figure.subplots(1, 2)
    counts = [row.processes for row in found]
    every = sorted({*counts, SEED[0]})

    speed.loglog(every, [found[0].speed * n for n in every], "--", color=INK, label="ideal")
    speed.loglog(counts, [row.speed for row in found], "o-", color=LINE, label="measured here")
    seed = f"{SEED[1]}: ResNet-101 on 8 K80, the old page"
    speed.loglog(*SEED, "s", color=INK, markersize=8, fillstyle="none", label=seed)
    speed.set(title="images/sec of all processes", xlabel="processes")

    published = f"{PUBLISHED} %: published by Horovod, 512 P100"
    efficiency.axhline(PUBLISHED, color=INK, linestyle=":", label=published)
    measured = [row.efficiency for row in found]
    efficiency.semilogx(counts, measured, "o-", color=LINE, label="measured here")
    for place in zip(counts, measured, strict=True):
        efficiency.annotate(f"{place[1]:.0f} %", place, (8, -14), textcoords="offset points")
    top = 1.15 * max(100, *measured)
    efficiency.set(title="efficiency against 1 process, %", xlabel="processes", ylim=(0, top))
    for axes, ticks in ((speed, every), (efficiency, counts)):
        axes.set_xticks(ticks, [str(n) for n in ticks], minor=False)
        axes.set_xticks([], minor=True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False, labelcolor=INK)
    figure.savefig(path, transparent=True, metadata={"Date": None})


def main() -> None:
    """Measure, print the table and draw the plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    beside = Path(__file__).with_name("scaling.yaml")
    parser.add_argument("spec", type=Path, nargs="?", default=beside)
    parser.add_argument("--plot", type=Path, help="where to draw the plot, as SVG")
    parser.add_argument("--context", help="where to run, by default in the current one")
    options = parser.parse_args()
    found = measure(options.spec, options.context)
    print(table(found))
    if options.plot:
        plot(found, options.plot)


if __name__ == "__main__":
    main()
