"""The jobs of the chaos: what they are to do, and the specs that say so."""

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bai.specs.sweeps.points import member_name

HERE = Path(__file__).parent

CHILDREN = ("plain", "detached")

BARE = "bare"
"""A child that shares nothing with its job; only a control group holds each of them."""


@dataclass(frozen=True)
class Sweep:
    """How many members a job is to have, and how many of them may run at once."""

    members: int
    concurrency: int

    def names(self, job: str) -> list[str]:
        """Return the names of the members."""
        points = ({"environment.MEMBER": number} for number in range(self.members))
        return [member_name(job, json.dumps(each, separators=(",", ":"))) for each in points]

    def in_yaml(self) -> str:
        """Return it as a part of a job in a spec."""
        space = f"{{environment.MEMBER: {{from: 0, to: {self.members - 1}}}}}"
        return f"      sweep: {{grid: {space}, concurrency: {self.concurrency}}}\n"


@dataclass(frozen=True)
class Job:
    """What a job is to do."""

    name: str
    toolkit: str
    """`custom`, `pyTorch` or `horovod`."""
    nodes: int
    lines: int
    code: int
    """The exit code of its ranks."""
    children: tuple[str, ...]
    stubborn: bool
    """Whether its ranks ignore SIGTERM."""
    prepared: bool
    priority: str
    meets: bool
    """Whether the ranks of Horovod really meet."""
    sweep: Sweep | None = None

    def in_yaml(self, folder: Path, mark: str) -> str:
        """Return the job as a part of a spec."""
        witness = folder / "witness"
        words = [
            *(mark, str(witness), str(self.lines), str(self.code)),
            "+".join(self.children) or "none",
            *(["stubborn"] if self.stubborn else []),
        ]
        script = str(HERE / "rank.sh")
        match self.toolkit:
            case "custom":
                toolkit = f"{{command: {' '.join(['exec bash', script, *words])}}}"
            case "pyTorch":
                toolkit = f"{{script: {script}, python: /bin/bash, args: {' '.join(words)}}}"
            case _:
                meets = "meet" if self.meets else "alone"
                args = " ".join([meets, script, *words])
                toolkit = f"{{script: {HERE / 'rank.py'}, args: {args}}}"
        preparation = f"      preparation: 'true {mark}'\n" if self.prepared else ""
        return (
            f"    {self.name}:\n      nodeCount: {self.nodes}\n      priority: {self.priority}\n"
            f"      mounts: {{r: azureFile:r}}\n      logs: ${{mounts.r}}\n{preparation}"
            f"      environment: {{CHAOS_MARK: {mark}}}\n      {self.toolkit}: {toolkit}\n"
            + (self.sweep.in_yaml() if self.sweep else "")
        )


@dataclass(frozen=True)
class Mix:
    """Which jobs there are."""

    horovod: float = 0.04
    """Share of jobs that Horovod's launcher starts."""
    meets: float = 0.1
    """Share of these whose ranks really meet, which costs seconds."""
    children: tuple[str, ...] = CHILDREN
    """What jobs may leave in the background."""


def random_job(random: Random, name: str, nodes: int, mix: Mix) -> Job:
    """Return a random job.

    Args:
        random: decides.
        name: the job's.
        nodes: most nodes that it may have.
        mix: which jobs there are.
    """
    toolkit = "custom" if random.random() < 0.7 else "pyTorch"
    if random.random() < mix.horovod:
        toolkit = "horovod"
    return Job(
        name=name,
        toolkit=toolkit,
        nodes=random.randint(1, nodes),
        lines=random.choice((0, 1, 5, 20)),
        code=random.choice((0, 0, 0, 3)),
        children=tuple(kind for kind in mix.children if random.random() < 0.3),
        stubborn=random.random() < 0.03,
        prepared=random.random() < 0.2,
        priority=random.choice(("low", "normal", "normal", "high")),
        meets=random.random() < mix.meets,
    )


def spec(jobs: list[Job], folder: Path, mark: str, nodes: int) -> str:
    """Return the spec of some jobs."""
    return (
        "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: chaos}\nspec:\n"
        f"  clusters:\n    c: {{vmSize: STANDARD_D2_V2, scale: {nodes}}}\n  jobs:\n"
        + "".join(job.in_yaml(folder, mark) for job in jobs)
    )
