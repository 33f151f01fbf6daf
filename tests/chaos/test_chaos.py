"""The chaos for a short while, with another seed each time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_a_few_kills_do_no_harm():
    """A failure names the seed: make chaos SEED=..."""
    tests = Path(__file__).parents[1]
    command = [sys.executable, "-m", "chaos", "--kills", "30", "--seconds", "120"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("BAI_")}
    done = subprocess.run(
        command, cwd=tests, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 violations" in done.stdout
