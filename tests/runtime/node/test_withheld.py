"""Variables of the user's environment that a job does not get."""

import json

from bai.runtime.secrets import withheld_variables

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: test}
spec:
  storageAccount: acme
  storageKey: env:STORAGE_KEY
  fileServers:
    nfs:
      vmSize: STANDARD_D2_V2
      user: {name: me, password: env:SERVER_PASSWORD}
      disks: {count: 1, size: 10g, type: standard}
  clusters:
    c:
      vmSize: STANDARD_D2_V2
      scale: 1
      user: {name: me, password: env:USER_PASSWORD}
      mounts:
        r: azureFile:r
        other: {azureFile: {share: x, account: other, key: env:MOUNT_KEY}}
      performanceCounters:
        component: /subscriptions/s/resourceGroups/g/providers/microsoft.insights/components/i
        instrumentationKey: env:INSIGHTS_KEY
      setupTask: {command: "true", logs: "${mounts.r}", secrets: {S: env:SETUP_SECRET}}
  jobs:
    show:
      nodeCount: 1
      mounts: {own: {azureFile: {share: x, account: third, key: env:JOB_MOUNT_KEY}}}
      logs: ${mounts.r}
      secrets: {TOKEN: env:TOKEN_HERE}
      preparation: env
      custom: {command: env}
"""


def test_jobs_see_no_variable_that_only_names_a_secret_of_others(bai):
    (bai.folder / "experiment.yaml").write_text(SPEC)
    names = ["AZURE_BATCHAI_STORAGE_KEY", "STORAGE_KEY", "SERVER_PASSWORD", "USER_PASSWORD"]
    names += ["MOUNT_KEY", "INSIGHTS_KEY", "SETUP_SECRET", "JOB_MOUNT_KEY"]
    values = {name: f"value-of-{name}" for name in [*names, "TOKEN_HERE"]}
    bai.run("apply", "experiment.yaml", env=values | {"PLAIN": "kept"})
    for log in ("stdout.txt", "stdout-job_prep.txt"):
        (path,) = (bai.folder / ".bai/storage").rglob(log)
        seen = dict(line.partition("=")[::2] for line in path.read_text().splitlines())
        assert seen["PLAIN"] == "kept"
        assert seen["TOKEN"] == seen["TOKEN_HERE"] == "value-of-TOKEN_HERE"
        assert not set(names) & seen.keys()
        assert not any(f"value-of-{name}" in seen.values() for name in names)


def test_what_the_job_s_own_secrets_name_is_for_the_job():
    def job(*secrets, **properties):
        entries = [{"name": "X", "value": value} for value in secrets]
        return {"properties": {"secrets": entries, **properties}}

    other = {"credentials": {"accountKey": "<secret env:KEY>"}}
    storage = {"AZURE_BATCHAI_STORAGE_KEY"}
    assert withheld_variables(job(), [other]) == {"KEY", *storage}
    assert withheld_variables(job("<secret env:KEY>"), [other]) == storage
    assert withheld_variables(job("<secret file:/KEY>"), [other]) == {"KEY", *storage}
    assert withheld_variables(job("<AZURE_BATCHAI_STORAGE_KEY>"), []) == set()
    nested = json.loads('{"a": [{"b": "<secret env:A>"}, "<secret file:/F>", null, 1]}')
    assert withheld_variables(job(**nested), []) == {"A", *storage}
