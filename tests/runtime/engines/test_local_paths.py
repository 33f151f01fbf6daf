"""Where jobs of the local engine find their directories."""

from watching import job_json


def test_paths_of_a_job_on_this_machine(bai):
    text = bai.custom(
        "env",
        "env | grep ^AZ_ | sort; pwd; ls $AZ_BATCHAI_JOB_MOUNT_ROOT; cat $AZ_BATCHAI_MPI_HOST_FILE",
        inputs="{DATA: '${mounts.r}/data'}",
        outputs="{MODEL: {path: '${mounts.r}', suffix: models}}",
        preparation="touch prepared",
    )
    bai.run("apply", bai.write(text))
    segment = job_json(bai, "env")["jobOutputDirectoryPathSegment"]
    share = bai.storage / "default/files/r" / segment
    logs = share / "stdouterr"
    lines = (logs / "stdout.txt").read_text().splitlines()
    found = dict(line.split("=", 1) for line in lines if line.startswith("AZ_"))
    attempt = bai.folder / ".bai/jobs" / segment.rsplit("/", 1)[1]
    temp = attempt / "nodes/0/jobs"
    assert found == {
        "AZ_BATCHAI_INPUT_DATA": f"{attempt}/mounts/job/r/data",
        "AZ_BATCHAI_JOB_MOUNT_ROOT": f"{attempt}/mounts/job",
        "AZ_BATCHAI_JOB_TEMP": f"{temp}/env",
        "AZ_BATCHAI_JOB_TEMP_DIR": str(temp),
        "AZ_BATCHAI_MOUNT_ROOT": f"{attempt}/mounts/cluster",
        "AZ_BATCHAI_MPI_HOST_FILE": f"{attempt}/hostfile",
        "AZ_BATCHAI_NUM_GPUS": found["AZ_BATCHAI_NUM_GPUS"],
        "AZ_BATCHAI_OUTPUT_MODEL": f"{share}/outputs/models",
        "AZ_BATCHAI_SHARED_JOB_TEMP": f"{attempt}/shared",
        "AZ_BATCHAI_STDOUTERR_DIR": str(logs),
        "AZ_BATCH_HOST_LIST": "127.0.0.1",
    }
    assert lines[len(found) :] == [f"{temp}/env", "r", "127.0.0.1 slots=1 # node-0"]
    assert (temp / "env/prepared").exists()
    assert (share / "outputs/models").is_dir()
    assert list((attempt / "mounts/job").iterdir()) == []
