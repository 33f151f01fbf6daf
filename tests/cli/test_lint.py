"""`bai lint`, as it is installed: files and folders in, findings and exit codes out."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

MOUNT = {
    "azureFileShares": [
        {"azureFileUrl": "https://a.file.core.windows.net/data", "relativeMountPath": "s"}
    ]
}
JOB = {
    "properties": {
        "nodeCount": 1,
        "mountVolumes": MOUNT,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/s",
        "customToolkitSettings": {"commandLine": "true"},
    }
}
CLUSTER = {
    "properties": {
        "vmSize": "STANDARD_NC6",
        "scaleSettings": {"manual": {"targetNodeCount": 1}},
        "userAccountSettings": {"adminUserName": "demo", "adminUserPassword": "<password>"},
    }
}
WRONG = '{\n  "properties": {\n    "nodeCount": "x",\n    "stdOutErrPathPrefix": "a"\n  }\n}\n'

SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: machines}
spec:
  clusters: {pair: {vmSize: STANDARD_NC6, scale: 2}}
"""


def job(**properties):
    return json.dumps({"properties": JOB["properties"] | properties}, indent=2) + "\n"


def write(bai, files):
    for name, text in files.items():
        path = bai.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def terse(done):
    """Return (place, code) of every finding that was printed."""
    found = []
    for line in done.stdout.splitlines():
        place, code = line.split(": ", 1)
        found.append((place, code.split()[0]))
    return found


def codes(done):
    return [code for _, code in terse(done)]


def files(done):
    return list(dict.fromkeys(place.rsplit(":", 2)[0] for place, _ in terse(done)))


def test_exit_codes(bai):
    write(bai, {"good.json": job(), "bad.json": job(nodeCount=True)})
    assert bai.run("lint", "good.json").stdout == "1 file checked, no findings\n"
    bad = bai.run("lint", "bad.json", code=1)
    assert "bad.json:3:18: error BAI203" in bad.stdout
    assert "^~~~" in bad.stdout
    assert bad.stdout.endswith("\n1 error\n")
    said = bai.run("lint", "--select", "BAI2x", code=2).stderr
    assert "Invalid value for --select: there is no code 'BAI2X'" in said
    assert "text, terse" in bai.run("lint", "-o", "yaml", code=2).stderr
    assert "-j" in bai.run("lint", "-j", "0", code=2).stderr
    assert "--stdin-filename" in bai.run("lint", "--stdin-filename", "x.json", code=2).stderr
    assert "can't read missing" in bai.run("lint", "--cluster", "missing", ".", code=2).stderr


def test_the_findings_of_a_run_are_in_the_order_of_files_and_lines(bai):
    write(bai, {"b/b.json": WRONG, "a.yml": WRONG, "c.yaml": WRONG, "b.json": WRONG})
    done = bai.run("lint", "-o", "terse", code=1)
    assert files(done) == ["a.yml", "b.json", "c.yaml", "b/b.json"]
    lines = [int(place.rsplit(":", 2)[1]) for place, _ in terse(done)[:3]]
    assert lines == sorted(lines)


def test_folders_are_searched(bai):
    looked = ["a.json", "b.yaml", "c.yml", "d/e/f.json", "v/lib/g.json"]
    passed = ["x.txt", ".git/x.json", "node_modules/m/x.json", "d/__pycache__/x.json"]
    passed += ["env/lib/x.json"]
    write(bai, dict.fromkeys(looked + passed, WRONG) | {"env/pyvenv.cfg": ""})
    assert sorted(files(bai.run("lint", "-o", "terse", code=1))) == looked
    assert files(bai.run("lint", "-o", "terse", "d", code=1)) == ["d/e/f.json"]
    # What is named is looked at, whatever it is called.
    for name in (".git", ".git/x.json", "env", "x.txt"):
        assert len(files(bai.run("lint", "-o", "terse", name, code=1))) == 1


def test_links(bai):
    write(bai, {"real/a.json": WRONG, "one.json": WRONG})
    (bai.folder / "real/round").symlink_to("..", target_is_directory=True)
    (bai.folder / "link").symlink_to("real", target_is_directory=True)
    (bai.folder / "two.json").symlink_to("one.json")
    (bai.folder / "dangling.json").symlink_to("nothing.json")
    (bai.folder / "self.json").symlink_to("self.json")
    done = bai.run("lint", "-o", "terse", code=1)
    assert files(done) == ["one.json", "two.json", "real/a.json"]
    assert files(bai.run("lint", "-o", "terse", "link", code=1)) == ["link/a.json"]
    assert codes(bai.run("lint", "-o", "terse", "self.json", code=1)) == ["BAI110"]


def test_foreign_files(bai):
    write(bai, {"values.yaml": "replicas: 3\n", "package.json": '{"name": "x"}', "a.json": job()})
    assert bai.run("lint").stdout == "1 file checked, no findings\n"
    assert codes(bai.run("lint", "-o", "terse", "values.yaml", code=1)) == ["BAI209"]
    for order in ((".", "values.yaml"), ("values.yaml", "./")):
        assert codes(bai.run("lint", "-o", "terse", *order, code=1)) == ["BAI209"]


NEAR = {
    "misspelt.json": json.dumps({"propertis": json.loads(job())["properties"]}),
    "left-out.json": json.dumps(json.loads(job())["properties"]),
    "cluster.yaml": json.dumps({"Property": CLUSTER["properties"]}),
    "our-schema.json": json.dumps({"$schema": "./lab-job.json", **json.loads(job(nodeCount=0))}),
    "no-space.yaml": "apiVersion:bai/v1\nkind: Experiment\n",
}
STRANGERS = {
    "package.json": {"name": "x", "scripts": {"test": "x"}, "config": {"nodeCount": 2}},
    "tsconfig.json": {"compilerOptions": {"strict": True}, "files": []},
    "settings.json": {"editor.fontSettings": {"vmSize": 1}, "property": {"colorSettings": {}}},
    "train.ipynb.json": {"cells": [], "metadata": {"kernelspec": {}}, "nbformat": 4},
    "config.json": {"model_type": "bert", "hidden_size": 768, "properties": "nodeCount"},
    "terraform.tfvars.json": {"vmSize": "Standard_D2_v3", "nodeCount": 3, "subnet": "x"},
    "values.yaml": {"pool": {"vmSize": "Standard_D2_v3", "nodeCount": 3}},
    "agents.json": {"properties": {"vmSize": "Standard_D2_v3", "count": 1, "osType": "Linux"}},
    "schema.json": {"type": "object", "properties": {"nodeCount": {"type": "integer"}}},
    "foreign.json": {"$schema": "https://example.com/x.json", "properties": {"nodeCount": 1}},
    "described.json": {
        "$schema": "https://example.com/schemas/job.json",
        "properties": {"nodeCount": {"const": 1}, "horovodSettings": {}},
    },
    "draft.json": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"nodeCount": {"const": 1}, "stdOutErrPathPrefix": True},
    },
    "pool.json": {
        "$schema": "https://example.com/pool.json",
        "properties": {"vmSize": "Standard_D2_v3", "count": 1, "osType": "Linux"},
    },
    "note.yaml": "kind:of text, apiVersion:bai/v1, properties",
}


def test_files_that_nearly_are_ours_are_found(bai):
    write(bai, NEAR)
    done = bai.run("lint", "-o", "terse", code=1)
    assert files(done) == sorted(NEAR)
    (bai.folder / "wide.json").write_bytes(job(nodeCount=0).encode("utf-16"))
    assert "wide.json" in files(bai.run("lint", "-o", "terse", code=1))
    assert codes(done) == ["BAI201", "BAI209", "BAI201", "BAI101", "BAI303"]


ADDRESSES = (
    "https://example.com/schemas/job.json",
    "./my-job-schema.json",
    "http://json-schema.org/draft-07/schema#",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_keys_identify_a_job_in_a_folder_whatever_its_schema(bai, address):
    data = {"$schema": address, **json.loads(job(nodeCount=True))}
    write(bai, {"job.json": json.dumps(data)})
    found = codes(bai.run("lint", "-o", "terse", code=1))
    assert "BAI203" in found
    assert found == codes(bai.run("lint", "-o", "terse", "job.json", code=1))


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("apiVersion:bai/v1\nkind: Experiment\n", [("s.yaml:1:11", "BAI101")]),
        ("kind:Experiment\napiVersion: bai/v1\n", [("s.yaml:1:5", "BAI101")]),
        ("apiVersion: bai/v1\nkind:Experiment\n", [("s.yaml:2:5", "BAI101")]),
        ("apiVersion:bai/v1\nkind:Experiment\n", [("s.yaml:1:1", "BAI209")]),
    ],
)
def test_specs_whose_colons_have_no_space_are_found(bai, text, reported):
    write(bai, {"s.yaml": text})
    assert terse(bai.run("lint", "-o", "terse", code=1)) == reported
    assert terse(bai.run("lint", "-o", "terse", "s.yaml", code=1)) == reported
    assert "space behind" in bai.run("lint", code=1).stdout


def test_a_spec_in_a_list_is_found(bai):
    write(
        bai, {"s.bai.yaml": "- apiVersion: bai/v1\n  kind: Experiment\n", "other.yaml": "- a: b\n"}
    )
    assert terse(bai.run("lint", "-o", "terse", code=1)) == [("s.bai.yaml:1:1", "BAI209")]


def test_a_part_of_a_spec_behind_dashes_is_reported_as_that(bai):
    write(bai, {"s.bai.yaml": f"{SPEC}---\n  jobs:\n    train: {{}}\n"})
    assert terse(bai.run("lint", "-o", "terse", code=1)) == [("s.bai.yaml:7:3", "BAI209")]
    assert "remove the --- above it" in bai.run("lint", code=1).stdout


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_files_in_utf_16_are_found(bai, encoding):
    mark = "" if encoding == "utf-16" else "\ufeff"
    content = (mark + "apiVersion: bai/v1\nkind: Experimnt\n").encode(encoding)
    (bai.folder / "s.yaml").write_bytes(content)
    assert codes(bai.run("lint", "-o", "terse", code=1)) == ["BAI205"]
    (bai.folder / "s.yaml").write_bytes((mark + "replicas: 3\n").encode(encoding))
    assert "no spec and no file for Batch AI" in bai.run("lint").stderr


def test_files_of_others_are_passed_over(bai):
    write(bai, {name: json.dumps(data) for name, data in STRANGERS.items()} | {"a.json": job()})
    assert bai.run("lint").stdout == "1 file checked, no findings\n"


def test_a_file_is_checked_once(bai):
    write(bai, {"a/x.json": WRONG})
    once = bai.run("lint", "-o", "terse", code=1)
    again = bai.run("lint", "-o", "terse", ".", "a", "./a/x.json", "a//x.json", code=1)
    assert again.stdout == once.stdout


def test_named_files_of_others_are_skipped_on_request(bai):
    write(bai, {"package.json": '{"name": "x"}', "values.yaml": "properties: {a: 1}\n"})
    write(bai, {"broken.yaml": "{{ a\n", "wrong.json": WRONG, "train.yaml": SPEC})
    names = ["package.json", "values.yaml", "broken.yaml", "wrong.json", "train.yaml"]
    assert "BAI209" in codes(bai.run("lint", "-o", "terse", *names, code=1))
    assert set(files(bai.run("lint", "--known-only", "-o", "terse", *names, code=1))) == {
        "wrong.json"
    }
    done = bai.run("lint", "--known-only", *names[:3])
    assert done.stdout == done.stderr == ""
    assert bai.run("lint", "--known-only", "-", input='{"name": "x"}').stdout == ""
    # A file that is not there is missed all the same.
    assert codes(bai.run("lint", "--known-only", "-o", "terse", "gone.json", code=1)) == ["BAI110"]


def test_a_folder_with_nothing_of_ours(bai):
    write(bai, {"empty/note.txt": "", "other/values.yaml": "replicas: 3\n"})
    for output in ("text", "terse"):
        done = bai.run("lint", "-o", output, "empty", "other")
        assert done.stdout == ""
        assert done.stderr == "warning: no spec and no file for Batch AI in empty, other\n"
    assert json.loads(bai.run("lint", "-o", "json", "empty").stdout)["findings"] == []


@pytest.mark.parametrize("output", ["text", "terse", "json", "sarif", "github"])
def test_all_formats_hold_all_findings(bai, output):
    write(bai, {"a.json": WRONG, "b.yaml": "apiVersion: bai/v1\nkind: Experiment\n"})
    expected = codes(bai.run("lint", "-o", "terse", code=1))
    done = bai.run("lint", "-o", output, code=1)
    match output:
        case "json":
            found = [finding["code"] for finding in json.loads(done.stdout)["findings"]]
        case "sarif":
            found = [r["ruleId"] for r in json.loads(done.stdout)["runs"][0]["results"]]
        case _:
            found = [part[:6] for part in done.stdout.split(" BAI")[1:]]
            found = ["BAI" + part[:3] for part in found]
            if output == "github":
                # The code stands in the title and in the text.
                found = [line.split("title=bai ")[1][:6] for line in done.stdout.splitlines()]
    assert found == expected
    assert "\x1b" not in done.stdout


def test_select_and_ignore(bai):
    write(bai, {"a.json": WRONG})
    every = codes(bai.run("lint", "-o", "terse", code=1))
    assert {"BAI203", "BAI701"} <= set(every)
    assert set(codes(bai.run("lint", "-o", "terse", "--select", "BAI203", code=1))) == {"BAI203"}
    one = bai.run("lint", "-o", "terse", "--select", "bai2", "--ignore", "BAI203,BAI7", code=None)
    assert "BAI203" not in codes(one)
    assert not any(code.startswith("BAI7") for code in codes(one))
    bai.run("lint", "--ignore", "BAI")
    write(bai, {"broken.json": "{"})
    # What can't be read is reported whatever is selected.
    broken = bai.run("lint", "-o", "terse", "--ignore", "BAI", "broken.json", code=1)
    assert codes(broken) == ["BAI101"]


def test_settings_of_the_nearest_folder_count(bai):
    write(
        bai,
        {
            "pyproject.toml": '[tool.bai.lint]\nselect = ["BAI203"]\n',
            "a.json": WRONG,
            "in/bai.toml": '[lint]\nselect = ["BAI701"]\n',
            "in/a.json": WRONG,
            "in/deep/pyproject.toml": '[project]\nname = "x"\n',
            "in/deep/a.json": WRONG,
        },
    )
    found = terse(bai.run("lint", "-o", "terse", code=1))
    reported = {place.rsplit(":", 2)[0]: code for place, code in found}
    assert reported == {"a.json": "BAI203", "in/a.json": "BAI701", "in/deep/a.json": "BAI701"}
    only = bai.run("lint", "-o", "terse", "--select", "BAI202", code=None)
    assert set(codes(only)) <= {"BAI202"}


def test_exclude_and_per_file_ignores(bai):
    settings = '[lint]\nexclude = ["old/**"]\nper-file-ignores = {"*.gen.json" = ["BAI"]}\n'
    write(bai, dict.fromkeys(["old/a.json", "b.gen.json", "c.json"], WRONG))
    write(bai, {"bai.toml": settings})
    assert files(bai.run("lint", "-o", "terse", code=1)) == ["c.json"]
    assert bai.run("lint", "-o", "terse", "old/a.json").stdout == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[lint]\nselct = ["BAI2"]', "did you mean select?"),
        ('[lint]\nignore = ["BAI999"]', "there is no code 'BAI999'"),
        ("[lint]\nignore = 3", "list of strings"),
        ("[lint", "bai.toml"),
    ],
)
def test_settings_that_are_wrong(bai, text, said):
    write(bai, {"a.json": WRONG, "bai.toml": text + "\n"})
    done = bai.run("lint", code=2)
    assert said in done.stderr
    assert done.stdout == ""


def test_suppressions(bai):
    text = (
        "properties:\n  nodeCount: 2.5  # bai: ignore[BAI203] half a node\n"
        "  stdOutErrPathPrefix: x  # bai: ignore[BAI203]\n"
    )
    write(bai, {"a.yaml": text})
    found = terse(bai.run("lint", "-o", "terse", "a.yaml", code=1))
    assert ("a.yaml:3:27", "BAI901") in found
    assert "BAI203" not in [code for _, code in found]
    write(
        bai, {"b.yaml": "# bai: ignore-file[BAI2, BAI7] all of it\nproperties: {nodeCount: 2.5}\n"}
    )
    assert bai.run("lint", "b.yaml").stdout == "1 file checked, no findings\n"
    (bai.folder / "a.yaml").write_text(text, "utf-16")
    assert terse(bai.run("lint", "-o", "terse", "a.yaml", code=1)) == found


UNUSED = (
    "# one\nproperties:  # bai: ignore[BAI203]\n  nodeCount: 1\r\n"
    "# bai: ignore[BAI309]\n  y: 'é'\t\n"
)
FIXED = "# one\nproperties:\n  nodeCount: 1\r\n  y: 'é'\t\n"


def test_fixes_are_made(bai):
    path = bai.folder / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + UNUSED.encode())
    path.chmod(0o640)
    before = bai.run("lint", "-o", "terse", "a.yaml", code=1)
    shown = bai.run("lint", "--diff", "a.yaml", code=1)
    assert "-# bai: ignore[BAI309]\n" in shown.stdout
    assert shown.stderr == "2 fixes to make in 1 file\n"
    assert path.read_bytes() == b"\xef\xbb\xbf" + UNUSED.encode()
    text = bai.run("lint", "a.yaml", code=1).stdout
    assert text.splitlines()[-1].endswith(" (2 fixable with --fix)")
    done = bai.run("lint", "--fix", "-o", "terse", "a.yaml", code=1)
    assert done.stderr == "2 fixes made in 1 file\n"
    assert codes(done) == [code for code in codes(before) if code != "BAI901"]
    assert path.read_bytes() == b"\xef\xbb\xbf" + FIXED.encode()
    assert path.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in bai.folder.iterdir()) == ["a.yaml", "bai.toml"]
    assert bai.run("lint", "--diff", "a.yaml").stdout == ""


def test_a_link_stays_one_when_its_file_is_fixed(bai):
    write(bai, {"real.yaml": UNUSED})
    (bai.folder / "link.yaml").symlink_to("real.yaml")
    done = bai.run("lint", "--fix", "link.yaml", "real.yaml", code=1)
    assert "fixable" not in done.stdout
    assert (bai.folder / "link.yaml").is_symlink()
    assert (bai.folder / "real.yaml").read_bytes().decode() == FIXED


def test_a_diff_can_be_applied(bai):
    if not shutil.which("patch"):
        pytest.skip("patch is not installed")
    write(bai, {"a.yaml": UNUSED.replace("\r", "")})
    shown = bai.run("lint", "--diff", "a.yaml", code=1).stdout
    subprocess.run(["patch", "-p0"], input=shown, cwd=bai.folder, check=True, text=True)
    assert (bai.folder / "a.yaml").read_text() == FIXED.replace("\r", "")


def without_override(bai):
    """Make file permissions count for bai, even where root runs the tests."""
    if os.geteuid():
        return
    if not shutil.which("setpriv"):
        pytest.skip("root may do everything, and setpriv is not installed")
    dropped = "--bounding-set=-dac_override,-dac_read_search,-fowner"
    bai.command = ["setpriv", dropped, *bai.command]


def test_a_folder_that_nobody_may_write_to(bai):
    write(bai, {"locked/a.yaml": UNUSED, "open/a.yaml": UNUSED})
    (bai.folder / "locked").chmod(0o555)
    without_override(bai)
    done = bai.run("lint", "--fix", "-o", "terse", code=1)
    assert "error: can't write locked/a.yaml: Permission denied\n" in done.stderr
    assert done.stderr.endswith("2 fixes made in 1 file\n")
    assert codes(done).count("BAI901") == 2
    assert (bai.folder / "open/a.yaml").read_bytes().decode() == FIXED


def test_what_nobody_may_read(bai):
    write(bai, {"closed/a.json": WRONG, "b.json": WRONG, "c.json": job()})
    (bai.folder / "closed").chmod(0)
    (bai.folder / "b.json").chmod(0)
    without_override(bai)
    done = bai.run("lint", "-o", "terse", code=1)
    assert done.stdout == (
        "b.json:1:1: BAI110 can't read the file: Permission denied\n"
        "closed:1:1: BAI110 can't read the folder: Permission denied\n"
    )


def test_diff_says_what_it_could_not_read(bai):
    assert "missing.yaml:1:1: BAI110" in bai.run("lint", "--diff", "missing.yaml", code=1).stderr


def test_standard_input(bai):
    write(bai, {"in/bai.toml": '[lint]\nignore = ["BAI701"]\n'})
    plain = bai.run("lint", "-", input=WRONG, code=1)
    assert "<stdin>:3:18: error BAI203" in plain.stdout
    assert '3 |     "nodeCount": "x",' in plain.stdout
    assert "BAI701" in plain.stdout
    named = ("lint", "-", "-o", "terse", "--stdin-filename", "in/a.json")
    done = bai.run(*named, input=WRONG, code=1)
    assert files(done) == ["in/a.json"]
    assert "BAI701" not in codes(done)
    assert bai.run("lint", "-", input=job()).stdout == "1 file checked, no findings\n"
    assert codes(bai.run("lint", "-", "-o", "terse", input="a: 1", code=1)) == ["BAI209"]
    for more in (["--fix"], ["--diff"], ["a.json"]):
        bai.run("lint", "-", *more, input="", code=2)


def test_a_job_is_checked_with_its_cluster(bai):
    write(bai, {"job.json": job(nodeCount=4), "cluster.json": json.dumps(CLUSTER)})
    assert bai.run("lint").stdout == "2 files checked, no findings\n"
    done = bai.run("lint", "-o", "terse", "--cluster", "cluster.json", "job.json", code=1)
    assert [code[:4] for code in codes(done)] == ["BAI8"]
    said = bai.run("lint", "--cluster", "job.json", "job.json", code=2).stderr
    assert "job.json is no cluster file" in said


def test_a_cluster_file_that_can_not_be_read_is_reported_with_the_reason(bai):
    write(bai, {"job.json": job(), "cluster.json": '{"properties": {\n'})
    said = bai.run("lint", "--cluster", "cluster.json", "job.json", code=2).stderr
    assert said.startswith("cluster.json:1:17: error BAI101 ")
    write(bai, {"train.bai.yaml": SPEC})
    said = bai.run("lint", "--cluster", "train.bai.yaml", "job.json", code=2).stderr
    assert "train.bai.yaml is no cluster file of Batch AI's: it is a spec" in said


def test_a_cluster_that_no_job_was_checked_with_is_reported(bai):
    write(bai, {"train.bai.yaml": SPEC, "cluster.json": json.dumps(CLUSTER)})
    given = ("--cluster", "cluster.json", "train.bai.yaml")
    for more in ([], ["--fix"], ["--diff"]):
        said = bai.run("lint", *given, *more).stderr
        assert "warning: no job was checked with cluster.json" in said
    # A file that can't be read is not known to hold none.
    write(bai, {"job.json": "{", "other.json": job()})
    assert "warning" not in bai.run("lint", *given, "job.json", code=1).stderr
    assert "warning" not in bai.run("lint", *given, "other.json").stderr
    assert "one file" in bai.run("lint", *given, "--cluster", "job.json", code=2).stderr


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"apiVersion": "v1", "kind": "Pod"}, "for Kubernetes, not for bai: apiVersion 'v1', kind"),
        ({"apiVersion": "v1"}, "this is for Kubernetes, not for bai: apiVersion 'v1'"),
        ({"kind": "Pod", "spec": {}}, "this is for another tool, not for bai: kind 'Pod'"),
        ({"apiVersion": None, "kind": "Pod"}, "this is for another tool, not for bai: kind 'Pod'"),
        ({"apiVersion": "bia/v1", "kind": "Experiment"}, "there is no apiVersion 'bia/v1'"),
        ({"apiVersion": "bai/v1", "kind": "Job"}, "there is no kind 'Job'"),
        ({"apiVersion": "v1", "kind": "Pod", "spec": {"jobs": {}}}, "there is no kind 'Pod'"),
    ],
)
def test_a_file_for_another_tool_is_called_so(bai, data, said):
    write(bai, {"job.json": json.dumps(data)})
    assert said in bai.run("lint", "job.json", code=1).stdout


def many(bai, count):
    for number in range(count):
        write(bai, {f"{number % 7}/{number:04}.json": WRONG if number % 3 else job()})


def test_many_processes_say_what_one_does(bai):
    many(bai, 300)
    one = bai.run("lint", "-o", "terse", "-j", "1", code=1)
    assert len(files(one)) == 200
    assert bai.run("lint", "-o", "terse", "-j", "4", code=1).stdout == one.stdout
    assert "300 files checked" in bai.run("lint", "--ignore", "BAI", "-j", "4").stdout


def test_the_reader_of_the_output_goes_away(bai):
    many(bai, 300)
    with bai.start("lint", "-o", "terse", "-j", "2") as process:
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


def workers(process):
    """Wait for the processes that a process started, and return their ids."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    deadline = time.monotonic() + 60
    # ShellCheck may be the only one for a moment; it has ended before the workers begin.
    while len(found := children.read_text().split()) < 2:
        assert time.monotonic() < deadline
        assert process.poll() is None
    return [int(each) for each in found]


@pytest.fixture
def busy(bai):
    """A run whose workers wait for a pipe that nobody closes."""
    many(bai, 100)
    pipe = bai.folder / "pipe"
    os.mkfifo(pipe)
    handle = os.open(pipe, os.O_RDWR)
    process = bai.start("lint", "-j", "2", ".", "pipe")
    with process:
        yield process
        # Where the test failed, the process may still be there; its workers end with it.
        process.kill()
        os.close(handle)


@pytest.mark.parametrize("whom", ["terminal", "parent"])
def test_ctrl_c_ends_all_processes(busy, whom):
    found = workers(busy)
    busy.send_signal(signal.SIGINT)
    for each in found if whom == "terminal" else ():
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGINT)
    _, errors = busy.communicate(timeout=60)
    assert "Traceback" not in errors
    assert busy.returncode == 130


def test_a_process_that_is_killed(busy):
    os.kill(workers(busy)[0], signal.SIGKILL)
    _, errors = busy.communicate(timeout=60)
    assert errors.startswith("error: a process was killed while it checked files")
    assert "--jobs 1" in errors
    assert busy.returncode == 2


def test_names_of_any_bytes(bai):
    with open(os.fsencode(bai.folder) + b"/\xff\n.json", "w") as file:  # noqa: PTH123
        file.write(WRONG)
    for output in ("text", "terse", "json", "sarif", "github"):
        done = subprocess.run(
            [*bai.command, "lint", "-o", output, "--select", "BAI203"],
            cwd=bai.folder,
            env=bai.environment,
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (1, b"")
        # A name with a line break doesn't end a line.
        assert output not in ("terse", "github") or done.stdout.count(b"\n") == 1
    bai.run("lint", "--fix", code=1)


SUPPRESSED = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: x}
spec:
  clusters:
    gpu: {vmSize: Standard_NC6, scale: 2}
  jobs:
    train:
      nodeCount: 4   # bai: ignore[BAI801] the cluster grows
      mounts: {results: azureFile:results}
      logs: ${mounts.results}
      custom: {command: ls}
"""


def test_a_suppression_is_unused_only_where_all_was_looked_for(bai):
    path = bai.folder / "experiment.yaml"
    for text in (SUPPRESSED, SUPPRESSED.replace("BAI801", "BAI801, BAI720, BAI405")):
        path.write_text(text)
        bai.run("lint", path)
    # A spec that does not compile is not shown to the rules.
    path.write_text(SUPPRESSED.replace("logs:", "lgos:"))
    assert "BAI901" not in bai.run("lint", "--fix", path, code=1).stdout
    assert "ignore[BAI801] the cluster grows" in path.read_text()


@pytest.mark.parametrize(
    ("where", "end"), [("name: machines", "is no name"), ("kind: Experiment", "no kind")]
)
def test_a_long_value_is_cut_in_what_is_said_of_it(bai, where, end):
    long = "it is, and goes on, " * 100_000
    text = SPEC.replace(where, f"{where.partition(' ')[0]} '{long}'")
    (bai.folder / "s.bai.yaml").write_text(text)
    done = bai.run("lint", code=1).stdout
    assert end in done
    assert len(done) < 2_000
    [found] = json.loads(bai.run("lint", "-o", "json", code=1).stdout)["findings"]
    assert end in found["message"]
    assert len(found["message"] + found["hint"]) < 1_000


def test_json_is_json(bai):
    for text, column, message, words in (
        ('{"properties": {"nodeCount": 1,}}', 31, "a comma with nothing", "remove the comma"),
        ('{"properties": {"nodeCount": 1 // one\n}}', 32, "JSON has no comments", "remove it"),
        ("{properties: {nodeCount: 1}}", 2, "a key without quotes", "put it in double quotes"),
    ):
        (bai.folder / "job.json").write_text(text)
        reported = bai.run("lint", "job.json", code=1).stdout
        assert f"job.json:1:{column}: error BAI101 {message}" in reported
        assert f"help: {words}" in reported
        # A folder may hold what others write with comments in it.
        in_folder = bai.run("lint", code=1).stdout
        assert in_folder == reported
    (bai.folder / "job.json").write_text('{"properties": {"size": 1}} // of another tool')
    assert bai.run("lint").stdout == ""


def test_a_difference_shows_no_secrets(bai):
    text = WRONG.replace(
        '"properties": {', '"properties": {\n"secrets": [{"name": "T", "value": "hunter2x"}],'
    )
    (bai.folder / "job.json").write_text(text)
    shown = bai.run("lint", "--diff", "job.json", code=None).stdout
    assert "hunter2x" not in shown


def test_a_difference_shows_no_secrets_that_findings_are_about(bai):
    command = '"customToolkitSettings": {"commandLine": "curl -u me:hunter2 https://host/x"}'
    text = '{"properties": {\n"nodeCount": "1",\n' + command + "}}\n"
    (bai.folder / "job.json").write_text(text)
    shown = bai.run("lint", "--diff", "job.json", code=None).stdout
    assert '+"nodeCount": 1,' in shown
    assert "curl -u me:******* https" in shown


def test_what_settings_exclude_is_said_to_be_excluded(bai):
    (bai.folder / "bai.toml").write_text('[lint]\nexclude = ["old/"]\n')
    (bai.folder / "old").mkdir()
    (bai.folder / "old/job.json").write_text(job())
    reported = bai.run("lint", "old/job.json").stderr
    assert reported == "warning: the settings exclude all of old/job.json\n"


def test_a_cluster_that_is_given_is_checked_as_well(bai):
    (bai.folder / "job.json").write_text(job())
    scale = {"manual": {"targetNodecount": 1}}
    cluster = {"properties": {"vmSize": "STANDARD_NC6", "scaleSettings": scale}}
    (bai.folder / "cluster.json").write_text(json.dumps(cluster))
    reported = bai.run("lint", "job.json", "--cluster", "cluster.json", code=1).stdout
    assert "cluster.json:1:" in reported


@pytest.mark.parametrize(
    "text",
    [
        '{"location": "e", "properties": {"nodeCount": 3, "vmSize": "x", "agentPoolProfiles": []}}',
        '{"type": "object", "properties": {"nodeCount": {}, "horovodSettings": {}}}',
    ],
)
def test_what_is_somebody_elses_is_not_claimed(bai, text):
    (bai.folder / "other.json").write_text(text)
    assert "no spec and no file for Batch AI" in bai.run("lint").stderr


def test_that_shellcheck_is_missing_is_said_to_those_who_ask_for_it(bai):
    write(bai, {"job.json": job(customToolkitSettings={"commandLine": "if [ x = ]; then a; fi"})})
    empty = {"PATH": str(bai.folder)}
    assert bai.run("lint", "job.json", env=empty).stderr == ""
    assert bai.run("lint", "job.json", "--select", "BAI7", env=empty).stderr == ""
    reported = bai.run("lint", "job.json", "--select", "BAI720", "--output", "json", env=empty)
    assert reported.stderr.startswith(
        "warning: BAI720 comes from ShellCheck, which is not installed"
    )
    assert json.loads(reported.stdout)["findings"] == []
