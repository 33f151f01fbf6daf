"""What bai writes, bai lint finds nothing in."""

import shutil
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", [path.parent.name for path in EXAMPLES.glob("*/experiment.yaml")])
def test_compiled_examples_are_clean(bai, name):
    shutil.copytree(EXAMPLES / name, bai.folder / name)
    # Not every example names a size, which Azure needs.
    (bai.folder / "bai.toml").write_text('[contexts.azure]\nvm-size = "STANDARD_D3_V2"\n')
    bai.run("compile", f"{name}/experiment.yaml", "-d", "files")
    # Only with its cluster is it clear what a job mounts.
    done = bai.run("lint", name, "files", "--cluster", "files/cluster.json")
    assert "no findings" in done.stdout
