"""Jobs in containers, with real podman: they behave as outside, and nothing is left of them."""

import hashlib
import json
import os
import re
import signal
from pathlib import Path

import psutil
import pytest
from chaos.processes import GUARDIAN, SUPERVISOR, of_world
from containing import info, log, running, same_python, started, uuid
from watching import gone

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_job_in_its_container(bai, image, left):
    """Output, exit code, variables, mounts, shm, preparation and who owns what it writes."""
    (bai.folder / "code").mkdir()
    (bai.folder / "code/word.txt").write_text("from the code\n")
    (bai.folder / "data").mkdir()
    (bai.folder / "data/word.txt").write_text("from a mount\n")
    command = """
    cat /proc/1/comm /prepared word.txt $AZ_BATCHAI_JOB_MOUNT_ROOT/d/word.txt
    echo "$QUOTED"; echo $SECRET | sha256sum; echo $HOME
    df --output=size /dev/shm | tail -1
    pwd
    echo of the job > $AZ_BATCHAI_OUTPUT_MODEL/file
    echo for nodes > $AZ_BATCHAI_SHARED_JOB_TEMP/file && touch $AZ_BATCHAI_JOB_TEMP/file
    test -e $AZ_BATCHAI_MPI_HOST_FILE && echo '{"values": {"loss": 1}}' >> $BAI_METRICS_FILE
    test -e BAI_SEEN || ls /home | wc -l
    exit 3
    """
    spec = bai.folder / "experiment.yaml"
    spec.write_text(
        f"""\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: test}}
spec:
  jobs:
    job:
      container: {{image: '{image}', shmSize: 80m}}
      code: code
      mounts: {{r: azureFile:r, d: 'file:data'}}
      logs: ${{mounts.r}}
      outputs: {{MODEL: '${{mounts.r}}'}}
      environment: {{QUOTED: "it's \\"quoted\\" $AZ_BATCHAI_NUM_GPUS"}}
      secrets: {{SECRET: env:SOURCE}}
      preparation: echo prepared > /prepared
      custom: {{command: {json.dumps(command)}}}
"""
    )
    shown = bai.run("apply", spec, code=1, env={"SOURCE": "hush-hush", "OF_HOST": "1"})
    lines = log(bai).splitlines()
    assert lines[:4] == ["sh", "prepared", "from the code", "from a mount"]
    assert lines[4].startswith('it\'s "quoted" ')
    assert lines[5].split()[0] == hashlib.sha256(b"hush-hush\n").hexdigest()
    assert lines[6] == "/root"
    assert int(lines[7]) == 80 * 1024
    assert "/code/" in lines[8]
    assert info(bai)["exitCode"] == 3
    (output,) = bai.storage.rglob("outputs/file")
    assert output.read_text() == "of the job\n"
    assert output.stat().st_uid == os.geteuid()
    phases = ["mounting", "starting containers", "preparing", "running"]
    assert re.findall("|".join(phases), shown.stdout)[:4] == phases
    assert left() == []
    assert not (bai.folder / ".bai/jobs" / uuid(bai) / "scripts").exists()
    for path in (bai.folder / ".bai").rglob("*"):
        assert not path.is_file() or b"hush-hush" not in path.read_bytes(), path


def test_a_cancelled_job_is_asked_to_end_and_leaves_no_container(bai, image, left):
    started(bai, image)
    pids = running(bai)
    assert len(left()) == 1
    bai.run("cancel", "job")
    bai.run("wait", "job", code=1)
    assert info(bai)["errors"][0]["code"] == "JobTerminated"
    assert log(bai) == "asked\n"
    assert left() == []
    assert pids
    assert all(map(gone, pids))


def behind(bai, *roles):
    found = of_world("no mark", bai.folder / ".bai", [])
    return [process for process in found if process.role in roles]


def kill_together(processes):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for process in processes:
            process.send(number)


def conmons(bai):
    """Return podman's own processes, which remove a container when it ends by itself."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or [""]
        if words[0].endswith("conmon") and any(uuid(bai) in word for word in words):
            found.append(process)
    return found


@pytest.mark.parametrize("roles", [(SUPERVISOR,), (SUPERVISOR, GUARDIAN)], ids=len)
@pytest.mark.parametrize("with_conmons", [False, True], ids=["", "conmon"])
def test_nothing_is_left_when_what_stands_behind_a_job_is_killed(
    bai, image, left, roles, with_conmons
):
    started(bai, image, secrets="{SECRET: env:HOME}")
    pids = running(bai)
    own = conmons(bai)
    assert own
    for process in own if with_conmons else []:
        process.kill()
    kill_together(behind(bai, *roles))
    # The guardian removes the container, or this command does.
    bai.run("wait", "job", code=1)
    assert info(bai)["errors"][0]["code"] == "JobSupervisorLost"
    assert left() == []
    assert pids
    assert all(map(gone, pids))
    assert not (bai.folder / ".bai/jobs" / uuid(bai) / "scripts").exists()


@pytest.mark.horovod
def test_horovod_on_two_nodes(bai, image):
    if reason := same_python():
        pytest.skip(reason)
    import horovod

    packages = Path(horovod.__file__).parents[1].resolve()
    (bai.folder / "train.py").write_text(
        "import os, torch, horovod.torch as hvd\nhvd.init()\n"
        "box = os.environ['BAI_PROCESS'].split('/')[0][-1]\n"
        "total = hvd.allreduce(torch.tensor([hvd.rank() + 1.0]), op=hvd.Sum).item()\n"
        "print(total, 'in container', box, flush=True)\n"
    )
    spec = bai.write(
        f"""\
    job:
      nodeCount: 2
      container: '{image}'
      mounts: {{r: azureFile:r, code: 'file:.', packages: 'file:{packages}'}}
      logs: ${{mounts.r}}
      environment: {{PYTHONPATH: '${{mounts.packages}}'}}
      horovod: {{script: '${{mounts.code}}/train.py'}}
"""
    )
    bai.run("apply", spec)
    lines = sorted(log(bai).splitlines())
    assert lines == ["[0]<stdout>: 3.0 in container 0", "[1]<stdout>: 3.0 in container 1"]
