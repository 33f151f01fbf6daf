"""What the engine would start can be shown, and is what it starts then."""

import json
from pathlib import Path


def test_what_is_shown_is_what_is_started(bai):
    spec = bai.write(bai.custom("job", "echo $TOKEN", nodeCount=2, secrets="{TOKEN: env:TOKEN}"))
    bai.environment["TOKEN"] = "not to be shown"
    printed = bai.run("compile", spec, "--submission").stdout
    assert not (bai.folder / ".bai").exists()
    assert "not to be shown" not in printed
    assert json.loads(bai.run("compile", spec, "--submission", "-o", "json").stdout)
    bai.run("apply", spec)
    [document] = (bai.folder / ".bai/jobs").glob("*/run-1.json")
    [shown] = json.loads(printed.replace("UUID", document.parent.name))
    assert shown["run"] == json.loads(document.read_text())
    assert str(document.parent) in shown["command"]
    assert Path(shown["command"][0]).is_file()


def test_the_submissions_of_several_jobs_as_yaml(bai):
    spec = bai.write(bai.custom("one", "true") + bai.custom("two", "true", nodeCount=2))
    shown = bai.run("compile", spec, "--submission", "-o", "yaml", "--max-nodes", 1).stdout
    assert shown.count("- command:") == 2
    assert "/jobs/one\n" in shown
    assert shown.count("nodeCount: 1\n") == 2


def test_submissions_are_written_to_no_folder(bai):
    spec = bai.write(bai.custom("job", "true"))
    said = bai.run("compile", spec, "--submission", "--folder", "out", code=2).stderr
    assert "--submission: it goes to the terminal, and not with --folder" in said
