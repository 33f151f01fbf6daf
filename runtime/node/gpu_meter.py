"""Says what processes use of NVIDIA's GPUs, by NVIDIA's management library: a program of its own.

A call of the driver may take long, or never return, and the node goes on meanwhile. The library
comes with the driver: https://docs.nvidia.com/deploy/nvml-api
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, Final

SECONDS: Final = 2.0
"""How often to look."""


def main() -> None:
    """Write a line of JSON every two seconds: of each GPU that is used, `busy` and `memory`.

    `busy` is the share of the time in which the GPU ran anything as of late, from 0 to 1; `memory`
    has process ids, and bytes of its memory. It ends where the driver does not answer.
    """
    import pynvml

    try:
        pynvml.nvmlInit()
        count = pynvml.nvmlDeviceGetCount()
        gpus = [pynvml.nvmlDeviceGetHandleByIndex(number) for number in range(count)]
    except pynvml.NVMLError as error:
        sys.exit(str(error))
    while True:
        found = [used for gpu in gpus if (used := _look(gpu))]
        try:
            sys.stdout.write(f"{json.dumps(found)}\n")
            sys.stdout.flush()
        except BrokenPipeError:
            return
        time.sleep(SECONDS)


def _look(gpu: object) -> dict[str, Any] | None:
    import pynvml

    try:
        running = pynvml.nvmlDeviceGetComputeRunningProcesses(gpu)
        busy = pynvml.nvmlDeviceGetUtilizationRates(gpu).gpu / 100
    except pynvml.NVMLError:
        # Parts of a GPU (MIG) have no such figures, and a GPU may be lost.
        return None
    # The driver does not tell the memory everywhere.
    memory = {each.pid: each.usedGpuMemory or 0 for each in running}
    return {"busy": busy, "memory": memory} if memory else None
