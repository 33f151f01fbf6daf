"""`bai logs` of 202 MB that two ranks wrote, against a loop in Python that copies the lines."""

from __future__ import annotations

import os
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from measure import BIN, Result, paired, pairs

BYTES = 202_000_000
PAIRS = 5
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: logs}
spec:
  clusters: {c: {vmSize: S, scale: 1}}
  jobs:
    long:
      nodeCount: 1
      mounts: {r: azureFile:r, code: "file:."}
      logs: ${mounts.r}
      custom: {command: "python ${mounts.code}/write.py"}
"""
WRITE = f"""import os, random
left, number, random = {BYTES}, 0, random.Random(1)
while left > 0:
    lines = []
    for _ in range(random.randint(1, 400)):
        number += 1
        loss, rank = random.random(), random.randrange(2)
        lines.append(b"[%d]<stdout>: step %d: loss %.6f, and the rest of a usual line of a log, "
                     b"which has a hundred bytes\\n" % (rank, number, loss))
    for handle, data in (1, b"".join(lines)), (2, b"[0]<stderr>: warning %d\\n" % number):
        left -= len(data)
        while data:
            data = data[os.write(handle, data):]
"""
COPY = "import sys\nfor line in sys.stdin.buffer:\n    sys.stdout.buffer.write(line)\n"


def results() -> Iterator[Result]:
    """Measure the processor time of both, each with its output in a pipe."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "spec.yaml").write_text(SPEC)
        (Path(folder) / "write.py").write_text(WRITE)
        subprocess.run(
            [BIN / "bai", "apply", "spec.yaml"], cwd=folder, check=True, stdout=subprocess.DEVNULL
        )
        logs = sorted((Path(folder) / ".bai/storage").rglob("std*.txt"))
        copy = shlex.join([sys.executable, "-c", COPY])
        peer = f"cat {shlex.join(map(str, logs))} | {copy}"
        for words, name in (("", "all of it"), (" --rank 0", "one rank")):
            ours = f"{BIN / 'bai'} logs long{words}"
            found = pairs(PAIRS, partial(_seconds, ours, folder), partial(_seconds, peer, folder))
            yield paired(f"bai logs, 202 MB, {name}: CPU", found, "s", "< 2")


def _seconds(command: str, folder: str) -> float:
    """Return the processor time of a command that writes into a pipe, that of cat included."""
    # With it, a loop in Python makes a system call for each line.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    shell = ["bash", "-c", f"set -o pipefail; {command} | cat > /dev/null"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(shell, cwd=folder, env=env, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
