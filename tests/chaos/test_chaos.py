"""The chaos for a short while, with another seed each time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from engines import ENGINES


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "kills"), [("local", 20), ("far", 10)])
def test_a_few_kills_do_no_harm(engine, kills):
    """A failure names the seed: make chaos SEED=... ENGINE=..."""
    if reason := ENGINES[engine].missing():
        pytest.skip(reason)
    tests = Path(__file__).parents[1]
    limits = ["--kills", str(kills), "--seconds", "60"]
    command = [sys.executable, "-m", "chaos", "--engine", engine, *limits]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("BAI_")}
    done = subprocess.run(
        command, cwd=tests, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 violations" in done.stdout
