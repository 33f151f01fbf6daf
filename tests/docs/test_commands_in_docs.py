"""Commands in the documentation print what it shows, with the files that it shows."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from contexts import context_text

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/linting.md").read_text()
README = (ROOT / "README.md").read_text()
FAULTS = README.partition("## What it says when something is wrong\n")[2].partition("\n## ")[0]
BLOCK = re.compile(
    r"(?:^`(?P<name>[\w.]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```", re.M | re.S
)


def commands(text):
    """Yield (command, its output) of a block."""
    for part in text.split("$ ")[1:]:
        command, _, output = part.partition("\n")
        yield command, output


@pytest.mark.parametrize(("page", "count"), [(PAGE, 7), (FAULTS, 2)], ids=["linting", "readme"])
def test_every_command_on_the_page(bai, page, count):
    path = f"{Path(sys.executable).parent}:{bai.environment['PATH']}"
    (bai.folder / "bai.toml").unlink()
    ran = 0
    for block in BLOCK.finditer(page):
        if block["name"]:
            (bai.folder / block["name"]).write_text(block["text"])
        elif block["kind"] == "console":
            for command, output in commands(block["text"]):
                done = subprocess.run(
                    ["sh", "-c", command],
                    cwd=bai.folder,
                    env=bai.environment | {"PATH": path},
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.stdout + done.stderr == output, command
                ran += 1
    assert ran == count


def test_the_formats_and_hooks_on_the_page_are_those_there_are(bai):
    named = re.findall(r"^\| `(\w[-\w]+)` \|", PAGE, re.M)
    help_ = re.sub(r"\s+", " ", bai.run("lint", "--help").stdout)
    hooks = re.findall(r"^- id: (\S+)", (ROOT / ".pre-commit-hooks.yaml").read_text(), re.M)
    formats = [name for name in named if name not in hooks]
    assert f"{', '.join(formats[:-1])} or {formats[-1]}." in help_
    assert hooks == [name for name in named if name in hooks]


def shown(command):
    """Return what the README shows below a command, up to the next one."""
    after = README.partition(f"$ {command}\n")[2]
    return re.split(r"^(?:\$ |```)", after, maxsplit=1, flags=re.M)[0]


def test_the_readme_s_main_example_is_the_file():
    _, _, spec = (ROOT / "examples/digits/experiment.yaml").read_text().partition("\n")
    assert f"```yaml\n{spec}```\n" in README


def test_the_readme_shows_how_a_large_job_is_refused(bai):
    shutil.copytree(ROOT / "examples", bai.folder / "examples")
    # Two slots, whatever this machine has, in the context of users without a bai.toml.
    text = context_text("local", {"slots": 2}, bai.engine.table)
    (bai.folder / "bai.toml").write_text(text)
    # And a podman, which has none of the images yet.
    podman = bai.folder / "bin/podman"
    podman.parent.mkdir()
    podman.write_text("#!/bin/sh\nexit 1\n")
    podman.chmod(0o755)
    bai.environment["PATH"] = f"{podman.parent}{os.pathsep}{bai.environment['PATH']}"
    command = "bai diff examples/cifar10/seed.yaml"
    done = bai.run(*command.split()[1:], code=2)
    assert done.stderr.endswith(shown(command).removeprefix("...\n"))
