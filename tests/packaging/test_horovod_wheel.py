"""The tool that builds Horovod shows that the build moves."""

import os
import re
import runpy
import subprocess
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools/horovod_wheel.py"


def test_a_build_says_how_far_it_is(tmp_path):
    # A gate for each wait: the second one must not read the end of what was written for the first.
    gates, log = [tmp_path / "first", tmp_path / "second"], tmp_path / "log"
    for gate in gates:
        os.mkfifo(gate)
    waits = [f"read x < {gate}" for gate in gates]
    script = f"echo begins; {waits[0]}; echo '[ 45%] Building CXX object x.o'; {waits[1]}"
    said = []

    def say(line):
        # The build goes on when its state has been said, once for each.
        is_new = not said or ("45 % compiled, " in line) > ("45 % compiled, " in said[-1])
        said.append(line)
        if is_new:
            gates.pop(0).write_text("go\n")

    with log.open("w") as file:
        process = subprocess.Popen(["bash", "-c", f"{script}; exit 7"], stdout=file, stderr=file)
        tool = runpy.run_path(str(TOOL))
        assert tool["watch"](process, log, say, 0.05) == 7
    assert re.fullmatch("building Horovod: [0-9]+ s", said[0])
    assert any(line.startswith("building Horovod: 45 % compiled, ") for line in said)
    assert not any(set(line) & set("\r\x1b") for line in said)
