"""The tool that builds Horovod shows that the build moves."""

import os
import re
import runpy
import subprocess
from pathlib import Path

TOOL = Path(__file__).parents[2] / "tools/horovod_wheel.py"


def test_a_build_says_how_far_it_is(tmp_path):
    gate, log = tmp_path / "gate", tmp_path / "log"
    os.mkfifo(gate)
    script = f"echo begins; read x < {gate}; echo '[ 45%] Building CXX object x.o'; read x < {gate}"
    said = []

    def say(line):
        # The build goes on when its state has been said, once for each.
        is_new = not said or ("45 % compiled, " in line) > ("45 % compiled, " in said[-1])
        said.append(line)
        if is_new:
            gate.write_text("go\n")

    with log.open("w") as file:
        process = subprocess.Popen(["bash", "-c", f"{script}; exit 7"], stdout=file, stderr=file)
        tool = runpy.run_path(str(TOOL))
        assert tool["watch"](process, log, say, 0.05) == 7
    assert re.fullmatch("building Horovod: [0-9]+ s", said[0])
    assert any(line.startswith("building Horovod: 45 % compiled, ") for line in said)
    assert not any(set(line) & set("\r\x1b") for line in said)
