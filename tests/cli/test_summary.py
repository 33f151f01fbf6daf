"""What is shown when a job has ended: its reason, and the commands for what it left."""

import re

RANKS = """\
    train:
      nodeCount: 2
      mounts: {r: azureFile:r, code: 'file:code'}
      logs: ${mounts.r}
      pyTorch: {script: '${mounts.code}/train.py', args: OTHERS, processCount: 2}
"""
SCRIPT = """\
import os, signal, sys, time
from pathlib import Path
def wait_for(log, line):
    path = Path(os.environ["AZ_BATCHAI_STDOUTERR_DIR"], log)
    while line not in path.read_text().splitlines():
        time.sleep(0.01)
others = int(sys.argv[1])
if os.environ["RANK"] == "0":
    wait_for("stderr-1.txt", "RuntimeError: boom")
    print(*["other"] * others, "done", sep="\\n", flush=True)
    signal.pause()
print(*range(30), sep="\\n", flush=True)
wait_for("stdout-1.txt", "29")
print("RuntimeError: boom", file=sys.stderr, flush=True)
wait_for("stdout-0.txt", "done")
sys.exit(1)
"""


def failed_ranks(bai, others):
    """Apply a job whose rank 1 fails after rank 0 has written so many lines; return its end."""
    (bai.folder / "code").mkdir(exist_ok=True)
    (bai.folder / "code/train.py").write_text(SCRIPT)
    spec = bai.write(RANKS.replace("OTHERS", str(others)))
    done = bai.run("apply", spec, "--rerun", code=1).stdout
    return done[done.index("job/train failed in ") :].splitlines()


LAST = [*(f"    {number}" for number in range(23, 30)), "    RuntimeError: boom"]


def test_a_failure_ends_with_the_last_lines_of_the_rank_at_fault(bai):
    end = failed_ranks(bai, others=30)
    assert end[1].startswith("  JobFailed: ")
    assert end[2] == "  logs      bai logs train --rank 1; its last lines:"
    assert end[3:] == LAST
    waited = bai.run("wait", "train", code=1).stderr
    assert waited.splitlines()[1:] == end[2:]
    assert bai.run("logs", "train", "--rank", "1").stdout.endswith("RuntimeError: boom\n")


def test_last_lines_that_have_just_been_shown_are_not_repeated(bai):
    end = failed_ranks(bai, others=3)
    assert end[2:] == ["  logs      bai logs train --rank 1; its last lines are above"]
    waited = bai.run("wait", "train", code=1).stderr
    assert waited.splitlines()[2:] == LAST
    # Of an attempt that is not the newest, the command says so.
    failed_ranks(bai, others=4)
    described = bai.run("describe", "job", "train").stdout
    assert "  logs      bai logs train --rank 1; its last lines:\n" in described
    assert "  logs      bai logs train --rank 1 --attempt 1; its last lines:\n" in described


def test_a_preparation_that_fails_shows_its_last_lines(bai):
    text = bai.custom("job", "true", preparation="echo no disk >&2; exit 3", nodeCount=2)
    end = bai.run("apply", bai.write(text), code=1).stdout.splitlines()[-1]
    node = "the last lines of node-[01] preparation"
    assert re.fullmatch(rf"  logs      bai logs job; {node} are above", end)
    command, said = bai.run("wait", "job", code=1).stderr.splitlines()[-2:]
    assert re.fullmatch(rf"  logs      bai logs job; {node}:", command)
    assert said == "    no disk"


def test_a_process_alone_needs_no_rank_and_one_that_was_cancelled_shows_nothing(bai):
    end = bai.run("apply", bai.write(bai.custom("one", "echo why; exit 3")), code=1).stdout
    assert end.endswith("  logs      bai logs one; its last lines are above\n")
    waited = bai.run("wait", "one", code=1).stderr
    assert waited.endswith("  logs      bai logs one; its last lines:\n    why\n")
    bai.run("apply", "-d", bai.write(bai.custom("long", "echo begun; sleep 600")))
    bai.run("cancel", "long")
    assert bai.run("wait", "long", code=1).stderr.count("\n") == 1


def test_success_ends_with_commands_that_work_and_empty_outputs_are_left_out(bai):
    outputs = '{MODEL: "${mounts.r}", EMPTY: {path: "${mounts.r}", suffix: empty}}'
    command = "mkdir $AZ_BATCHAI_OUTPUT_MODEL/deep; echo w > $AZ_BATCHAI_OUTPUT_MODEL/deep/weights"
    done = bai.run("apply", bai.write(bai.custom("job", f"echo out; {command}", outputs=outputs)))
    model, logs = done.stdout.splitlines()[-2:]
    assert model == "  model     bai storage cp -r job:job/MODEL ."
    assert logs == "  logs      bai logs job"
    assert "empty" not in done.stdout
    assert bai.run(*model.split()[2:]).stdout == "copied 1 file\n"
    assert (bai.folder / "MODEL/deep/weights").read_text() == "w\n"
    assert bai.run(*logs.split()[2:]).stdout == "out\n"


def test_outputs_of_a_job_are_listed_and_copied_by_its_name(bai):
    outputs = '{MODEL: "${mounts.r}"}'
    command = "cd $AZ_BATCHAI_OUTPUT_MODEL; mkdir deep; echo w > deep/weights; echo v > vocabulary"
    bai.run("apply", bai.write(bai.custom("job", f"{command}; echo out", outputs=outputs)))

    def names(*arguments):
        listed = bai.run("storage", "ls", *arguments).stdout.splitlines()
        return [line.split()[-1] for line in listed[1:]]

    assert names("job:job/MODEL") == ["deep/", "vocabulary"]
    assert names("-r", "job:test/job/MODEL") == ["deep/", "deep/weights", "vocabulary"]
    assert names("job:local/test/job/MODEL/deep") == ["weights"]
    assert names("job:job/MODEL/deep/weights") == ["weights"]
    assert "stdout.txt" in names("job:job/stdouterr")
    bai.run("storage", "cp", "job:job/MODEL/deep/weights", ".")
    assert (bai.folder / "weights").read_text() == "w\n"
    assert bai.run("storage", "cp", "job:job/MODEL/vocabulary", "-").stdout == "v\n"
    made = bai.run("storage", "cp", "-r", "job:job/MODEL", "azureFile:models/").stdout
    assert made == "created azureFile:models\ncopied 2 files\n"
    assert (bai.storage / "default/files/models/MODEL/deep/weights").exists()


def test_wrong_places_in_outputs_are_reported(bai):
    outputs = '{MODEL: "${mounts.r}"}'
    command = "echo w > $AZ_BATCHAI_OUTPUT_MODEL/weights"
    bai.run("apply", bai.write(bai.custom("job", command, outputs=outputs)))

    def refused(source, target="."):
        return bai.run("storage", "cp", source, target, code=2).stderr

    assert "there is no job 'jbo'" in refused("job:jbo/MODEL")
    assert refused("job:job/MODLE/weights") == (
        "error: job/job has no output 'MODLE' (did you mean MODEL?)\n"
    )
    assert refused("job:job") == "error: job/job is no output: valid here: MODEL, stdouterr\n"
    assert "names no job" in refused("job:")
    assert refused("job:job/MODEL") == "error: job:job/MODEL is a folder: -r copies all of it\n"
    assert "is a folder: only a file can be read" in refused("job:job/MODEL", "-")
    assert refused("job:job/MODEL/wieghts").endswith("(did you mean weights?)\n")
    assert "leads out" in refused("job:job/MODEL/../../x")
    assert "only a job itself writes its outputs" in " ".join(
        refused("experiment.yaml", "job:job/MODEL/").split()
    )
