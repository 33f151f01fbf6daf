"""Setup tasks of nodes that are all this machine."""

import json


def test_they_run_one_after_the_other(bai):
    """As apt and pip must, which share their files: two at once would not make the folder."""
    bai.context(**{"slots": 4, "setup-task": "run"})
    folder = bai.folder / "busy"
    command = f"mkdir {folder} && sleep 0.5 && rmdir {folder}"
    text = bai.write("", scale=3).read_text().removesuffix("  jobs:\n")
    setup = f"setupTask: {{command: {json.dumps(command)}, logs: '${{mounts.r}}'}}"
    path = bai.folder / "experiment.yaml"
    path.write_text(text.replace("scale: 3}", f"scale: 3, mounts: {{r: azureFile:r}}, {setup}}}"))
    bai.run("apply", path)
    bai.run("scale", "c", "--nodes", "4")
    found = json.loads(bai.run("get", "nodes", "-o", "json").stdout)
    assert [each["state"] for each in found] == ["idle"] * 4
