"""Whole training scripts, right and wrong ones, as a job on two nodes runs them.

`scripts/right/` holds what must be clean. A wrong script is in the folder of its code,
`tests/linter/rules/CODE/`, beside its findings in a text of the same name; `BAI_UPDATE_GOLDEN=1`
writes what the code says now. A folder is a script `train.py` with modules of its own.
"""

import os
import sys
from pathlib import Path

import pytest
from linting import lint

from bai.compiler.compilation import Defaults
from bai.linter.driver.filesystem import LocalFiles
from bai.linter.environment import LintEnvironment

RIGHT = Path(__file__).parent / "scripts/right"
RULES = Path(__file__).parents[1] / "rules"
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: corpus}
spec:
  clusters:
    pair: {vmSize: STANDARD_NC6, scale: 2}
  jobs:
    train:
      nodeCount: 2
      mounts: {data: "azureFile:data", code: "file:."}
      logs: ${mounts.data}
      outputs: {MODEL: "${mounts.data}"}
      horovod:
        script: ${mounts.code}/SCRIPT
        args: --data ${mounts.data}/digits --output-dir ${mounts.data}/out --epochs 3
"""
PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"
DEFAULTS = Defaults("subscription", "group", "workspace", "location", "store")


def cases(paths):
    found = [path for path in paths if path.is_dir() or path.suffix == ".py"]
    return [pytest.param(path, id=path.stem) for path in sorted(found)]


RIGHT_CASES = cases(RIGHT.iterdir())
WRONG_CASES = cases(RULES.glob("BAI*/*"))


def reported(path):
    folder, name = (path, "train.py") if path.is_dir() else (path.parent, path.name)
    machine = LintEnvironment(lambda: DEFAULTS, files=LocalFiles())
    spec = SPEC.replace("SCRIPT", name).encode()
    found = lint(spec, "experiment.yaml", str(folder), machine)
    # What a script is parsed with is the Python that runs this.
    return "".join(f"{each}\n".replace(PYTHON, "Python X.Y") for each in found)


def test_there_are_scripts_to_check():
    assert len(RIGHT_CASES) >= 30
    assert len(WRONG_CASES) >= 10


@pytest.mark.parametrize("path", RIGHT_CASES)
def test_a_right_script_is_clean(path):
    assert reported(path) == ""


@pytest.mark.parametrize("path", WRONG_CASES)
def test_a_wrong_script_is_reported(path):
    findings = path.with_suffix(".txt")
    if os.environ.get("BAI_UPDATE_GOLDEN"):
        findings.write_text(reported(path))
    assert findings.read_text()
    assert reported(path) == findings.read_text()
