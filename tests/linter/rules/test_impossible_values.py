"""Values that no machine, registry or region takes."""

import json

import pytest

from bai.linter.driver.linter import Linter

CLUSTER = {
    "vmSize": "STANDARD_NC6",
    "scaleSettings": {"manual": {"targetNodeCount": 1}},
    "userAccountSettings": {"adminUserName": "me", "adminUserSshPublicKey": "ssh-rsa AAAA"},
}
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {{name: t, resourceGroup: g, workspace: w, location: {location}}}
spec:
  clusters:
    c: {{vmSize: STANDARD_D2_V2, scale: 1, user: {{name: me, sshKey: "{key}"}}}}
"""


def test_the_old_command_line_reads_the_file_that_a_cluster_names():
    user = {"adminUserName": "me", "adminUserSshPublicKey": "~/.ssh/id_rsa.pub"}
    content = json.dumps({"properties": CLUSTER | {"userAccountSettings": user}}).encode()
    assert Linter().content(content, "cluster.json").findings == ()


def test_blanks_around_a_size():
    content = json.dumps({"properties": CLUSTER | {"vmSize": "STANDARD_NC6 "}}).encode()
    (finding,) = Linter().content(content, "cluster.json").findings
    assert (finding.code, finding.hint) == ("BAI313", "did you mean Standard_NC6?")


@pytest.mark.parametrize(
    ("size", "code"), [("STANDARD_DS3_V2", "BAI314"), ("STANDARD_D3_V2", "BAI807")]
)
def test_a_size_that_no_cluster_has_is_reported_alone(size, code):
    job = """\
  jobs:
    j:
      nodeCount: 1
      mounts: {data: "azureFile://store/data"}
      logs: ${mounts.data}
      horovod: {script: "${mounts.data}/a.py", processesPerNode: 9}
"""
    text = SPEC.format(location="eastus", key="ssh-rsa AAAA me@host") + job
    text = text.replace("STANDARD_D2_V2", size)
    found = Linter().content(text.encode(), "spec.yaml").findings
    assert [each.code for each in found] == [code]
