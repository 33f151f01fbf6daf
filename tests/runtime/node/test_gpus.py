"""What processes use of GPUs, from a stand-in for NVIDIA's library, as no GPU is needed here."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from watching import until

from bai.runtime.node.gpus import PROGRAM, GpuMeter, GpuUse, gpu_count
from bai.runtime.node.own_python import own_python
from bai.runtime.node.streams import Streams
from bai.runtime.node.usage import CPU, GPU_MEMORY, GPUS, MEMORY, Usage

# Two GPUs: the first is used by the process $STAND_IN_PID and by another one, the second by none.
LIBRARY = """
#include <stdlib.h>
typedef struct { unsigned pid; unsigned long long memory; unsigned gpu, compute; } process;
typedef struct { unsigned gpu, memory; } rates;
int nvmlInitWithFlags(unsigned flags) { return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, size_t *device) { *device = index + 1; return 0; }
int nvmlDeviceGetUtilizationRates(size_t device, rates *found) { found->gpu = 75; return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(size_t device, unsigned *count, process *found) {
    if (device == 2) { *count = 0; return 0; }
    if (*count < 2) { *count = 2; return 7; }  /* NVML_ERROR_INSUFFICIENT_SIZE */
    *count = 2;
    found[0].pid = atoi(getenv("STAND_IN_PID"));
    found[0].memory = 3000000000ull;
    found[1].pid = 1;
    found[1].memory = ~0ull;  /* NVML_VALUE_NOT_AVAILABLE */
    return 0;
}
"""
METER = own_python(PROGRAM)


@pytest.fixture
def driver(tmp_path, monkeypatch):
    """A library as NVIDIA's driver brings it, for which this process uses a GPU."""
    if not shutil.which("cc"):
        pytest.skip("there is no C compiler (cc)")
    (tmp_path / "nvml.c").write_text(LIBRARY)
    target = tmp_path / "libnvidia-ml.so.1"
    command = ["cc", "-shared", "-fPIC", "-o", target, tmp_path / "nvml.c"]
    subprocess.run(command, check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.setenv("STAND_IN_PID", str(os.getpid()))


@pytest.fixture
def streams():
    """An event loop."""
    made = Streams()
    yield made
    made.close()


@pytest.fixture
def meter(streams):
    """What measures on a machine that has a GPU, by its name at least."""
    made = GpuMeter(streams, METER, lambda: None, lambda: 1)
    assert made.look() == []
    yield made
    for each in made.pids:
        os.kill(each, signal.SIGKILL)
    until_ended(streams, made)


def until_measured(streams, meter):
    """Run the event loop until GPUs are measured."""
    until(lambda: (streams.step(0), meter.look())[1], "a measurement")


def until_ended(streams, meter):
    """Run the event loop until what measures has ended."""
    until(lambda: not (streams.step(0), meter.pids)[1], "the end of what measures")


def test_processes_have_what_they_use_of_gpus(driver, streams, meter):
    until_measured(streams, meter)
    assert meter.look() == [GpuUse(0.75, {os.getpid(): 3_000_000_000, 1: 0})]
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as other:
        values = Usage().look([os.getpid(), other.pid], meter.look())
        other.communicate()
    own = values[os.getpid()]
    assert own.keys() == {CPU, MEMORY, GPUS, GPU_MEMORY}
    assert (own[GPUS], own[GPU_MEMORY]) == (0.75, 3e9)
    assert values[other.pid].keys() == {CPU, MEMORY}


def test_what_measures_may_be_killed(driver, streams, meter):
    until_measured(streams, meter)
    [process] = meter.pids
    os.kill(process, signal.SIGKILL)
    until_ended(streams, meter)
    assert not Path(f"/proc/{process}").exists()


def test_nothing_is_measured_where_the_driver_does_not_answer(streams, meter):
    if gpu_count():
        pytest.skip("this machine has GPUs")
    assert len(meter.pids) == 1
    until_ended(streams, meter)
    assert meter.look() == []


def test_nothing_is_started_where_there_is_no_gpu():
    none = GpuMeter(Streams(), ["/no/such/program"], lambda: None, lambda: 0)
    assert (none.look(), none.pids) == ([], [])
