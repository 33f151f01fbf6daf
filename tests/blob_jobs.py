"""Jobs that have a container of a real account, which Azurite serves."""

from watching import job_json, supervisors, until

DATA = '"$AZ_BATCHAI_JOB_MOUNT_ROOT/data"'
"""The container, in a command."""


def account(bai, server, key=None, more=""):
    """Make the account `vision` of the context a real one."""
    with (bai.folder / "bai.toml").open("a") as file:
        file.write(
            f'[contexts.test.accounts.vision]\nblob-endpoint = "{server.endpoint()}"\n'
            f'key = "env:VISION_KEY"\n{more}'
        )
    bai.environment["VISION_KEY"] = key or server.key


def container(server, name="data"):
    """Return a client of a container, which is made, and empty."""
    from azure.storage.blob import BlobServiceClient

    service = BlobServiceClient(server.endpoint(), credential=server.key)
    client = service.get_container_client(name)
    if not client.exists():
        client.create_container()
    for blob in list(client.list_blob_names()):
        client.delete_blob(blob)
    return client


def job(bai, command, mount="azureBlob://vision/data"):
    """Write a spec with a job that has a container at `data`."""
    return bai.write(
        "    train:\n"
        f"      mounts: {{r: azureFile:r, data: '{mount}'}}\n"
        "      logs: ${mounts.r}\n"
        "      outputs: {MODEL: '${mounts.data}'}\n"
        f"      custom: {{command: '{command}'}}\n"
    )


def error(bai):
    """Return code and message of the job's error."""
    [found] = job_json(bai, "train")["executionInfo"]["errors"]
    return found["code"], found["message"]


def running(bai):
    """Start a job that waits in its mount; return guardian and supervisor."""
    ready = bai.folder / "ready"
    bai.run("apply", "-d", job(bai, f"cd {DATA}; touch {ready}; read x < /dev/zero"))
    until(ready.exists, "the job")
    [pair] = supervisors(bai.folder / ".bai").values()
    return pair
