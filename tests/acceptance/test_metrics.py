"""Metrics: what scripts report, and what bai measures of each rank, wherever it runs."""

import csv
import io
import json

REPORTING = """
import json, os, time
from bai.metrics import report

rank = int(os.environ["AZ_BATCHAI_TASK_INDEX"])
report(step=1, loss=1 / (rank + 1))
with open(os.environ["BAI_METRICS_FILE"], "a") as file:
    print(json.dumps({"step": 2, "rank": rank, "time": time.time(), "loss": 0.25}), file=file)
while not os.path.exists(os.environ["AZ_BATCHAI_JOB_MOUNT_ROOT"] + "/r/go"):
    time.sleep(0.05)
"""


def rows(bai, *arguments):
    done = bai.run("metrics", *arguments, "-o", "csv")
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_metrics_of_all_ranks_come_back_while_a_job_runs_and_stay_after_it(bai):
    (bai.folder / "train.py").write_text(REPORTING)
    spec = bai.write(
        "    train:\n      nodeCount: 2\n      code: .\n      mounts: {r: azureFile:r}\n"
        "      pyTorch: {script: train.py}\n"
    )
    bai.run("apply", "-d", spec)
    found = []
    # A look at what ranks use comes some seconds after their start.
    while len({row["rank"] for row in found if row["name"] == "bai/memory_bytes"}) < 2:
        assert bai.run("wait", "train", "--timeout", "0.1", code=None).returncode == 2
        found = rows(bai, "train") if list(bai.folder.glob(".bai/jobs/*/usage.jsonl")) else []
    (bai.storage / "default/files/r/go").touch()
    bai.run("wait", "train")
    reported = {(r["rank"], r["step"], r["value"]) for r in rows(bai, "train", "loss")}
    assert reported == {
        *(("0", "1", "1.0"), ("0", "2", "0.25")),
        *(("1", "1", "0.5"), ("1", "2", "0.25")),
    }
    names = {row["name"] for row in rows(bai, "train")}
    assert names == {"loss", "bai/step_seconds", "bai/cpu_cores", "bai/memory_bytes"}
    used = json.loads(bai.run("metrics", "train", "bai/memory_bytes", "-o", "json").stdout)
    assert {each["rank"] for each in used} == {0, 1}
    assert all(each["value"] > 5e6 for each in used)
