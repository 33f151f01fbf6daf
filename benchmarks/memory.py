"""Memory of a supervisor while its job runs."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
from measure import BIN, Result

SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: memory}
spec:
  clusters: {c: {vmSize: S, scale: 1}}
  jobs:
    sleep:
      nodeCount: 1
      mounts: {r: azureFile:r}
      logs: ${mounts.r}
      custom: {command: sleep 600}
"""


def results() -> Iterator[Result]:
    """Measure the resident memory of the supervisor and its guardian, less what they share."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "spec.yaml").write_text(SPEC)

        def bai(*words: str) -> None:
            subprocess.run(
                [BIN / "bai", *words], cwd=folder, env=os.environ, check=True, capture_output=True
            )

        bai("apply", "-d", "spec.yaml")
        bai("wait", "sleep", "--for", "running")
        found = [p for p in psutil.process_iter() if _supervises(p, folder)]
        resident = max(p.memory_info().rss for p in found)
        unique = sum(p.memory_full_info().uss for p in found)
        bai("cancel", "sleep")
    yield Result("supervisor: resident memory", resident / 2**20, None, "MiB")
    yield Result("supervisor and guardian: own memory", unique / 2**20, None, "MiB")


def _supervises(process: psutil.Process, folder: str) -> bool:
    try:
        words = process.cmdline()
    except psutil.Error:
        return False
    return all(any(part in word for word in words) for part in ("bai.runtime.guardian", folder))
