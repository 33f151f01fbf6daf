"""Type checkers know what specs in Python may say."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow  # Type checkers read much.
SCRIPT = """\
import bai
from bai import spec

environment: dict[str, str] = {"MODE": "fast"}
right = spec.Experiment(
    metadata=spec.Metadata(name="digits"),
    parameters={"lr": 0.1, "nodes": spec.Parameter(default=2, max=8)},
    clusters={"pair": spec.Cluster(scale=spec.parameter("nodes"))},
    jobs={
        "train": spec.Job(
            node_count=spec.parameter("nodes"),
            mounts={"data": "azureFile:data", "more": spec.Mount()},
            environment=environment,
            horovod=spec.Horovod(
                script="train.py", args=["--epochs", 3], processes_per_node="gpu"
            ),
            sweep=spec.Sweep(grid={"lr": [0.1, 0.01], "environment.SEED": spec.Range(to=3)}),
        )
    },
)
right.jobs["train"].node_count = 4
right.jobs["train"].environment["SEED"] = 1
bai.load(right).with_parameters(lr=0.01).check()
text: str = spec.Experiment.read("e.yaml").metadata.name

spec.Horovod(script="train.py", processes_per_nod=2)
spec.Horovod()
spec.Job(node_count="two")
spec.Job(priority="higher")
spec.Job(horovod=spec.PyTorch(script="train.py"))
spec.Job().nodes = 2
right.jobs["train"].node_count = "two"
right.jobs["other"] = spec.Horovod(script="train.py")
bai.load(spec.Job())
"""
MESSAGES = [
    'Unexpected keyword argument "processes_per_nod" for "Horovod"',
    'Missing named argument "script" for "Horovod"',
    'Argument "node_count" to "Job" has incompatible type "str"',
    'Argument "priority" to "Job" has incompatible type "Literal[\'higher\']"',
    'Argument "horovod" to "Job" has incompatible type "PyTorch"',
    '"Job" has no attribute "nodes"',
    'Incompatible types in assignment (expression has type "str"',
    "Incompatible types in assignment (expression has type",
    'Argument 1 to "load" has incompatible type "Job"',
]


def test_mypy_accepts_what_is_right_and_refuses_what_is_wrong(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    # As a user has it: without the plugins of this project.
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n")
    mypy = [sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty", "script.py"]
    done = subprocess.run(mypy, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = [line.partition(":")[2] for line in done.stdout.splitlines() if ": error: " in line]
    first = SCRIPT.splitlines().index('spec.Horovod(script="train.py", processes_per_nod=2)') + 1
    wrong = range(first, first + len(MESSAGES))
    assert [int(each.partition(":")[0]) for each in found] == [*wrong], done.stdout + done.stderr
    for line, message in zip(found, MESSAGES, strict=True):
        assert message in line
