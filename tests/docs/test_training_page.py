"""The Python on the page prints what stands below it, and resumes where it is run again."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/training.md").read_text()
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```", re.M | re.S)

pytestmark = pytest.mark.slow  # Processes run.


def test_the_page(tmp_path):
    ((code, printed),) = BLOCK.findall(PAGE)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout == printed
