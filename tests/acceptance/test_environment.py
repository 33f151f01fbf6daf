"""What a job finds: directories, variables, inputs, secrets."""

import re
from pathlib import Path

from watching import job_json


def test_directories_and_environment_are_what_batch_ai_promises(bai):
    text = bai.custom(
        "env",
        "env | grep ^AZ_ | sort; pwd; ls $AZ_BATCHAI_JOB_MOUNT_ROOT; "
        "cat $AZ_BATCHAI_MPI_HOST_FILE; ls; echo kept > $AZ_BATCHAI_OUTPUT_MODEL/weights",
        inputs="{DATA: '${mounts.r}/data'}",
        outputs="{MODEL: {path: '${mounts.r}', suffix: models}}",
        environment="{FLAG: no, WHERE: '$AZ_BATCHAI_OUTPUT_MODEL/x'}",
        preparation="touch prepared; echo $FLAG $WHERE",
    )
    done = bai.run("apply", bai.write(text))
    job = job_json(bai, "env")
    segment = job["jobOutputDirectoryPathSegment"]
    assert re.fullmatch(
        r"0{8}-0{4}-0{4}-0{4}-0{12}/local/workspaces/local/experiments/test/jobs/env/[-0-9a-f]{36}",
        segment,
    )
    share = bai.storage / "default/files/r" / segment
    logs = share / "stdouterr"
    assert sorted(path.name for path in logs.iterdir()) == [
        "execution.log",
        "stderr-job_prep.txt",
        "stderr.txt",
        "stdout-job_prep.txt",
        "stdout.txt",
    ]
    lines = (logs / "stdout.txt").read_text().splitlines()
    found = dict(line.split("=", 1) for line in lines if line.startswith("AZ_"))
    temp, root = found["AZ_BATCHAI_JOB_TEMP_DIR"], found["AZ_BATCHAI_JOB_MOUNT_ROOT"]
    host, model = found["AZ_BATCH_HOST_LIST"], found["AZ_BATCHAI_OUTPUT_MODEL"]
    assert found == {
        "AZ_BATCHAI_INPUT_DATA": f"{root}/r/data",
        "AZ_BATCHAI_JOB_MOUNT_ROOT": root,
        "AZ_BATCHAI_JOB_TEMP": f"{temp}/env",
        "AZ_BATCHAI_JOB_TEMP_DIR": temp,
        "AZ_BATCHAI_MOUNT_ROOT": found["AZ_BATCHAI_MOUNT_ROOT"],
        "AZ_BATCHAI_MPI_HOST_FILE": found["AZ_BATCHAI_MPI_HOST_FILE"],
        "AZ_BATCHAI_NUM_GPUS": found["AZ_BATCHAI_NUM_GPUS"],
        "AZ_BATCHAI_OUTPUT_MODEL": model,
        "AZ_BATCHAI_SHARED_JOB_TEMP": found["AZ_BATCHAI_SHARED_JOB_TEMP"],
        "AZ_BATCHAI_STDOUTERR_DIR": found["AZ_BATCHAI_STDOUTERR_DIR"],
        "AZ_BATCH_HOST_LIST": host,
    }
    assert lines[len(found) :] == [f"{temp}/env", "r", f"{host} slots=1 # node-0", "prepared"]
    prepared = (logs / "stdout-job_prep.txt").read_text()
    assert prepared == f"no {model}/x\n"
    assert (share / "outputs/models/weights").read_text() == "kept\n"
    # The volumes are taken away at the end; what is in them stays.
    assert not Path(root, "r").exists()
    assert re.findall("mounting|preparing|running", done.stdout)[:3] == [
        "mounting",
        "preparing",
        "running",
    ]


def test_paths_of_inputs_may_use_inputs_in_any_order(bai):
    inputs = "{A: '${inputs.B}/$$HOME', B: '${inputs.C}/b', C: '${mounts.r}'}"
    text = bai.custom("chain", "env | grep AZ_BATCHAI_INPUT | sort", inputs=inputs)
    done = bai.run("apply", bai.write(text))
    paths = [line.partition("=")[2] for line in done.stdout.splitlines() if "_INPUT_" in line]
    share = paths[2]
    assert share.endswith("/mounts/job/r")
    assert paths == [f"{share}/b/$HOME", f"{share}/b", share]


def test_inputs_in_a_circle_do_not_stop_a_job(bai):
    # The linter reports them as an error, which a comment may suppress.
    inputs = "{A: $AZ_BATCHAI_INPUT_B/a, B: $AZ_BATCHAI_INPUT_A/b, OWN: $AZ_BATCHAI_INPUT_OWN/c}"
    text = bai.custom("circle", "true", inputs=f"{inputs}  # bai: ignore[BAI413]")
    bai.run("apply", bai.write(text))
    assert job_json(bai, "circle")["executionState"] == "succeeded"


def test_secrets_reach_the_job_and_nothing_else(bai):
    (bai.folder / "token").write_text("s3cr3t-of-file\n")
    text = bai.custom(
        "secret",
        'echo "$A-$B" | rev | tr a-z n-za-m',
        secrets=f"{{A: 'env:SOURCE', B: 'file:{bai.folder}/token'}}",
    )
    spec = bai.write(text)
    refused = bai.run("apply", spec, code=2)
    assert "SOURCE is not set" in refused.stderr
    done = bai.run("apply", spec, env={"SOURCE": "s3cr3t-of-env"})
    # Written backwards and rotated, so that the values themselves stand nowhere.
    assert "ryvs-sb-g3ep3f-iar-sb-g3ep3f" in done.stdout
    everything = done.stdout + done.stderr
    for verb in (("get", "jobs", "-o", "json"), ("describe", "job", "secret"), ("diff", spec)):
        everything += bai.run(*verb, env={"SOURCE": "s3cr3t-of-env"}).stdout
    everything += bai.run("compile", spec).stdout
    assert "s3cr3t" not in everything
    kept = [path for path in (bai.folder / ".bai").rglob("*") if path.is_file()]
    assert kept
    assert not any(b"s3cr3t" in path.read_bytes() for path in kept)


def test_a_secret_in_a_python_command_line_is_refused(bai):
    (bai.folder / "x.py").write_text("")
    text = (
        "    shown:\n      nodeCount: 1\n      mounts: {r: azureFile:r, code: 'file:.'}\n"
        "      logs: ${mounts.r}\n      secrets: {TOKEN: 'env:SOURCE'}\n"
        "      pyTorch: {script: '${mounts.code}/x.py', args: --token $TOKEN}\n"
    )
    refused = bai.run("apply", bai.write(text), code=2, env={"SOURCE": "s3cr3t"})
    assert "BAI605" in refused.stderr
    assert "s3cr3t" not in refused.stderr + refused.stdout


def test_a_job_can_not_replace_the_variables_by_which_bai_finds_it(bai):
    """The linter reports them as an error, which a comment may suppress."""
    text = bai.custom(
        "own",
        "echo $BAI_ATTEMPT $BAI_METRICS_FILE",
        environment="{BAI_ATTEMPT: x}  # bai: ignore[BAI309]",
        secrets="{BAI_METRICS_FILE: env:HOME}  # bai: ignore[BAI309]",
    )
    done = bai.run("apply", bai.write(text))
    (attempt,) = (bai.folder / ".bai/jobs").iterdir()
    # Nodes elsewhere have a file of their own.
    place = f"{attempt}/" if bai.engine.is_one_machine else "/"
    assert f"{attempt.name} {place}" in done.stdout
    assert f"{attempt.name} {bai.environment['HOME']}" not in done.stdout
