"""What people write in place of a script's path."""

import pytest

from bai.linter.driver.linter import Linter

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: t, resourceGroup: g, workspace: w, location: eastus}}
spec:
  clusters: {{c: {{vmSize: STANDARD_D2_V2, scale: 1}}}}
  jobs:
    j:
      nodeCount: 1
      mounts: {{code: "{mount}"}}
      logs: ${{mounts.code}}
      pyTorch: {{script: "{script}"}}
"""
PATH = "${mounts.code}/a.py"


def found(script, mount="azureFile:code", folder="/project"):
    content = SPEC.format(script=script, mount=mount).encode()
    return [(f.code, f.hint) for f in Linter().content(content, f"{folder}/s.yaml").findings]


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        (f"python {PATH}", f"write {PATH} alone"),
        (f"python3 -u {PATH}", f"write {PATH} alone"),
        (f"{PATH} --epochs 2", "put --epochs 2 under args"),
        ("${mounts.code}/x.ipynb", "convert it: jupyter nbconvert --to script"),
        ("${mounts.code}/run.sh", "to run it as a command, use custom: or customMpi:"),
    ],
)
def test_what_is_no_path_of_a_script(tmp_path, script, hint):
    assert found(script) == [("BAI325", hint)]
    (tmp_path / "code").mkdir()
    (tmp_path / "code/run.sh").write_text("#!/bin/sh\nexec python3 train.py\n")
    assert found(script, "file:code", tmp_path) == [("BAI325", hint)]
