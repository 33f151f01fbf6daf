"""Run all examples at their own, small size, and print how each went in one table.

    python tools/run_examples.py [NAME ...]

An example is a folder of examples/ with an experiment.yaml. One whose spec has the parameter
`framework` runs once with each of its choices. TensorFlow and Keras run in .venv-keras, all else in
the environment of this interpreter. Each run has an empty folder of its own, which is removed if it
succeeded. The exit code is 1 if one failed.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import bai
from bai import spec
from bai.specs.words import duration

ROOT = Path(__file__).parents[1]
ENVIRONMENTS = {"keras": ".venv-keras", "tensorflow": ".venv-keras"}
"""The environment of a framework, where that is not this interpreter's."""
COLUMNS = "{:<24} {:<12} {:<16} {:>8}  {}"


@dataclass(frozen=True)
class Run:
    """One run of an example."""

    path: Path
    framework: str
    choices: bool
    """Whether the spec has to be told the framework."""

    @property
    def python(self) -> Path:
        """The interpreter that runs its scripts."""
        environment = ENVIRONMENTS.get(self.framework)
        return ROOT / environment / "bin/python" if environment else Path(sys.executable)

    @property
    def arguments(self) -> list[str]:
        """What `bai apply` and `bai compile` take."""
        return [str(self.path), *(["-p", f"framework={self.framework}"] if self.choices else [])]

    def write_context(self, folder: Path) -> None:
        """Write a bai.toml whose only context has the interpreter."""
        text = f"[contexts.examples.engine]\nslots = 2\npython = {str(self.python)!r}\n"
        (folder / "bai.toml").write_text(f'current-context = "examples"\n{text}')


def runs(names: list[str]) -> Iterator[Run]:
    """Iterate over the runs of all examples, or of those with these names."""
    for path in sorted((ROOT / "examples").glob("*/experiment.yaml")):
        name = path.parent.name
        if names and name not in names:
            continue
        declared = spec.Experiment.read(path).parameters.get("framework")
        if isinstance(declared, spec.Parameter):
            yield from (Run(path, str(each), choices=True) for each in declared.choices or ())
        else:
            yield Run(path, "keras" if name.endswith("-keras") else "torch", choices=False)


def carry_out(run: Run) -> bool:
    """Run an example, print its line of the table, and return whether it succeeded."""
    folder = Path(tempfile.mkdtemp(prefix="bai-example-"))
    run.write_context(folder)
    command = [Path(sys.executable).with_name("bai"), "apply", *run.arguments]
    begun = time.monotonic()
    with (folder / "output.txt").open("w") as output:
        done = subprocess.run(command, cwd=folder, stdout=output, stderr=output, check=False)
    took = duration(time.monotonic() - begun)
    name, succeeded = run.path.parent.name, done.returncode == 0
    words = metrics(folder) if succeeded else f"see {folder}/output.txt"
    state = "succeeded" if succeeded else "failed"
    print(COLUMNS.format(name, run.framework, state, took, words), flush=True)
    if succeeded:
        # The last process of a job may still write its state.
        shutil.rmtree(folder, ignore_errors=True)
    return succeeded


def metrics(folder: Path) -> str:
    """Return the newest value of each metric of all jobs that ran in a folder."""
    with contextlib.chdir(folder):
        session = bai.connect()
        jobs = [session.job(each.id.name) for each in session.resources("jobs")]
        found = {name: value for job in jobs for name, value in job.final_metrics().items()}
    return "  ".join(f"{name} {value:.4g}" for name, value in found.items())


def main() -> int:
    """Run the examples that are named on the command line, by default all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a folder of examples/")
    print(COLUMNS.format("EXAMPLE", "FRAMEWORK", "STATE", "TIME", "METRICS"))
    outcomes = [carry_out(run) for run in runs(parser.parse_args().names)]
    return 0 if outcomes and all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
