"""What this machine refuses, each at the value in the user's file that is wrong."""

import importlib.util
import os
import re
import shutil

import pytest
from contexts import context_text

from bai.limits import Limits
from bai.loading import load
from bai.runtime.context import load_contexts
from bai.specs.findings import FindingsError, errors

HEAD = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: test}\nspec:\n"
CLUSTER = "vmSize: S, scale: 1"


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Return (code, source text that is marked, message, hint) of what `bai diff` finds."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    (tmp_path / "code").mkdir()
    (tmp_path / "code/train.py").touch()

    def found(job="custom: {command: 'true'}", mounts="", cluster=CLUSTER, **context):
        settings = {"slots": 2} | context
        (tmp_path / "bai.toml").write_text(context_text("local", settings))
        nodes = "" if "nodeCount" in job else "nodeCount: 1, "
        spec = tmp_path / "spec.yaml"
        spec.write_text(
            f"{HEAD}  clusters:\n    c: {{{cluster}}}\n  jobs:\n"
            f"    j: {{{nodes}mounts: {{r: azureFile:r, code: file:code{mounts}}}, "
            f"logs: '${{mounts.r}}', {job}}}\n"
        )
        lines = spec.read_text().splitlines()

        def marked(span):
            return lines[span.line - 1][span.column - 1 : span.end_column - 1]

        findings = load("spec.yaml").diff().findings
        return [(f.code, marked(f.span), f.message, f.hint) for f in findings]

    return found


def test_a_right_job_has_no_findings(found):
    assert found("pyTorch: {script: '${mounts.code}/train.py'}") == []


@pytest.mark.parametrize(
    ("job", "slots", "marked", "size", "options"),
    [
        (
            "nodeCount: 3, custom: {command: x}",
            2,
            "3",
            "3 nodes and 3 processes",
            "--max-nodes 2 --max-processes 2",
        ),
        (
            "pyTorch: {script: -m, processCount: 3}",
            2,
            "3",
            "1 node and 3 processes",
            "--max-processes 2",
        ),
        (
            "nodeCount: 2, horovod: {script: -m, processesPerNode: 4}",
            2,
            "4",
            "2 nodes and 8",
            "--max-processes 2",
        ),
        (
            "nodeCount: 2, custom: {command: x}",
            1,
            "2",
            "2 nodes and 2 processes",
            "--max-nodes 1 --max-processes 1",
        ),
        (
            "tensorFlow: {script: -m, masterArgs: m, workerArgs: w, workerCount: 3}",
            2,
            "3",
            "1 node and 3 workers",
            "--max-processes 2",
        ),
    ],
)
def test_a_job_that_is_too_large(found, job, slots, marked, size, options):
    listed = found(job, slots=slots, cluster="vmSize: S, scale: 3")
    (code, text, message, hint) = listed[-1]
    assert (code, text) == ("BAI802", marked)
    assert message.startswith(f"the job has {size}")
    assert f"this machine has {slots} slot" in message
    assert hint.startswith(f"add {options} to run it smaller, or write slots = ")
    named = [f"max_{name}={count}" for name, count in re.findall(r"--max-(\w+) (\d+)", options)]
    assert hint.endswith(f"; in Python: limits=bai.Limits({', '.join(named)})")


@pytest.mark.parametrize(
    "scale", ["3", "{target: 3}", "{min: 0, max: 3}", "{min: 0, max: 3, initial: 1}"]
)
def test_a_cluster_that_is_too_large_is_refused_though_its_jobs_fit(found, scale):
    assert found(cluster=f"vmSize: S, scale: {scale}") == [
        (
            "BAI802",
            "3",
            (
                "the cluster has 3 nodes, and this machine has 2 slots: each node takes one, "
                "whether a job needs it or not"
            ),
            (
                "add --max-nodes 2 to run it smaller, or write slots = 3 below "
                "[contexts.local.engine] in bai.toml; in Python: limits=bai.Limits(max_nodes=2)"
            ),
        )
    ]
    assert found(cluster=f"vmSize: S, scale: {scale}", slots=3) == []


def test_the_command_of_the_message_makes_it_fit(found):
    job = "nodeCount: 3, pyTorch: {script: '${mounts.code}/train.py', processesPerNode: 2}"
    assert [f[0] for f in found(job, cluster="vmSize: S, scale: 3")] == ["BAI802", "BAI802"]
    plan = load("spec.yaml").diff(limits=Limits(max_nodes=2, max_processes=2))
    assert plan.findings == ()
    assert len(plan.notes) == 3


@pytest.mark.parametrize("container", ["tf:1.8", "{image: tf:1.8}"])
@pytest.mark.parametrize(
    ("containers", "why"),
    [
        ("none", 'jobs in containers do not run here: containers = "none" below [contexts.local.'),
        ("auto", "the job runs in a container, and neither podman nor docker is installed"),
        ("docker", "the job runs in a container, and docker, which [contexts.local.engine] in bai"),
    ],
)
def test_an_image(found, container, containers, why, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ((code, text, message, hint),) = found(
        f"container: {container}, custom: {{command: x}}", containers=containers
    )
    assert (code, text) == ("BAI803", "tf:1.8")
    assert message.startswith(why)
    assert hint.endswith("; in Python: limits=bai.Limits(without_containers=True)")


FAKE = """\
#!/bin/sh
# What podman says of an image.
case "$3" in
*broken*) echo 'Error: no space left' >&2; exit 125 ;;
*here*) exit 0 ;;
*) exit 1 ;;
esac
"""


@pytest.fixture
def podman(tmp_path, monkeypatch):
    program = tmp_path / "bin/podman"
    program.parent.mkdir()
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)


CREDENTIALS = "credentials: {username: me, password: env:REGISTRY_PASSWORD}"


@pytest.mark.parametrize(
    ("container", "expected"),
    [
        ("here:1", None),
        ("elsewhere:1", None),
        ("localhost/gone:1", ("BAI803", "there is no image localhost/gone:1 on this machine")),
        ("mapped:1", ("BAI803", "which takes the place of mapped:1 by images below [contexts.l")),
        ("broken:1", ("BAI803", "podman does not work: Error: no space left")),
        (f"{{image: 'r.io/x:1', {CREDENTIALS}}}", ("BAI604", "REGISTRY_PASSWORD is not set")),
        (f"{{image: 'r.io/here:1', {CREDENTIALS}}}", None),
    ],
)
def test_whether_the_image_can_be_had(found, podman, container, expected, monkeypatch):
    monkeypatch.delenv("REGISTRY_PASSWORD", raising=False)
    images = {"mapped:1": "localhost/gone:2"}
    # A container has its own interpreter, Horovod and scripts.
    job = f"container: {container}, horovod: {{script: /in/the/image.py}}"
    findings = found(job, containers="podman", images=images, python="/no/python")
    if expected is None:
        assert findings == []
    else:
        ((code, _, message, _),) = findings
        assert code == expected[0]
        assert expected[1] in message


@pytest.mark.parametrize(
    ("more", "marked"),
    [
        ("setupTask: {command: x, logs: '$AZ_BATCHAI_MOUNT_ROOT'}", "setupTask"),
        (
            (
                "performanceCounters: {component: /subscriptions/1/resourceGroups/g/providers/"
                "microsoft.insights/components/c, instrumentationKey: env:HOME}"
            ),
            "performanceCounters",
        ),
    ],
)
def test_parts_of_a_cluster_that_have_no_effect(found, more, marked):
    listed = found(cluster=f"{CLUSTER}, {more}")
    named = [(text, message) for code, text, message, _ in listed if code == "BAI805"]
    assert named == [(marked, f"{marked} has no effect on this machine")]


@pytest.mark.parametrize(
    ("mount", "marked", "name"),
    [
        ("azureFile:m?fileMode=0700", "azureFile:m?fileMode=0700", "fileMode"),
        ("{azureFile: {share: m, directoryMode: '0711'}}", "'0711'", "directoryMode"),
        ("{azureBlob: {container: b, options: -o ro}}", "-o ro", "options"),
    ],
)
@pytest.mark.parametrize("level", ["job", "cluster"])
def test_options_of_mounts(found, level, mount, marked, name):
    if level == "job":
        listed = found(mounts=f", m: {mount}")
    else:
        listed = found(cluster=f"{CLUSTER}, mounts: {{m: {mount}}}")
    message = f"{name} of the mount 'm' has no effect on this machine"
    assert [each[:3] for each in listed] == [("BAI510", marked, message)]


@pytest.mark.parametrize("level", ["job", "cluster"])
@pytest.mark.parametrize(
    ("mount", "marked", "code", "part"),
    [
        ("file:gone", "file:gone", "BAI509", "there is no directory {}/gone, for the mount 'm'"),
        ("{file: {path: gone}}", "gone", "BAI509", "there is no directory {}/gone"),
        ("file:bai.toml", "file:bai.toml", "BAI509", "{}/bai.toml, for the mount 'm', is a file"),
        ("{unmanaged: {command: mnt x}}", "mnt x", "BAI508", "does not run the mount command"),
    ],
)
def test_mounts_that_can_not_be_made(found, tmp_path, level, mount, marked, code, part):
    if level == "job":
        ((*place, message, _),) = found(mounts=f", m: {mount}")
    else:
        ((*place, message, _),) = found(cluster=f"{CLUSTER}, mounts: {{m: {mount}}}")
    assert place == [code, marked]
    assert part.format(tmp_path) in message


@pytest.mark.parametrize(
    ("mount", "hint"),
    [
        ("file:cod", "did you mean code?"),
        ("file:bai.tom", "make it, or correct its path"),
        ("file:elsewhere", "make it, or correct its path"),
        # The state folder is none of the user's.
        ("file:bai", "make it, or correct its path"),
        ("file:bai/jobs", "make it, or correct its path"),
    ],
)
def test_a_misspelt_folder(found, tmp_path, mount, hint):
    (tmp_path / ".bai/jobs").mkdir(parents=True)
    ((code, *_, reported),) = found(mounts=f", m: {mount}")
    assert (code, reported) == ("BAI509", hint)


def test_every_wrong_mount_is_reported_and_those_of_a_cluster_once(found):
    job = "nodeCount: 1, custom: {command: x}}\n    k: {logs: '${mounts.m}', nodeCount: 1, "
    job += "custom: {command: x}"
    listed = found(job, ", a: file:a, b: file:b", f"{CLUSTER}, mounts: {{m: file:m, s: file:.}}")
    assert [text for _, text, _, _ in listed] == ["file:m", "file:a", "file:b"]


def test_a_mount_of_a_cluster_that_only_lives_is_reported_at_the_job(found, tmp_path):
    (tmp_path / "gone").mkdir()
    found(cluster=f"{CLUSTER}, mounts: {{m: file:gone}}")
    load("spec.yaml").apply().wait()
    (tmp_path / "gone").rmdir()
    spec = tmp_path / "spec.yaml"
    job = spec.read_text().replace("j: {", "k: {cluster: c, ").splitlines()
    del job[4:6]
    spec.write_text("\n".join(job))
    (finding,) = load("spec.yaml").diff().findings
    assert finding.message.startswith(f"cluster c: there is no directory {tmp_path}/gone")
    assert (finding.code, finding.span.line, finding.span.column) == ("BAI509", 6, 18)


@pytest.mark.parametrize(
    ("script", "message", "hint"),
    [
        (
            "${mounts.code}/no.py",
            "there is no script code/no.py",
            "put it there, or correct the path or the mount",
        ),
        (
            "${mounts.r}/a/no.py",
            (
                "there is no script {}/.bai/storage/default/files/r/a/no.py: the mount 'r' is "
                "{}/.bai/storage/default/files/r"
            ),
            "put it there: `bai storage cp no.py azureFile:r/a/no.py`",
        ),
        (
            "${mounts.blob}/no.py",
            (
                "there is no script {}/.bai/storage/acc/blobs/b/no.py: the mount 'blob' is "
                "{}/.bai/storage/acc/blobs/b"
            ),
            "put it there: `bai storage cp no.py azureBlob://acc/b/no.py`",
        ),
        (
            "${inputs.CODE}/no.py",
            "there is no script code/no.py",
            "put it there, or correct the path or the mount",
        ),
        (
            "/nowhere/no.py",
            "there is no script /nowhere/no.py",
            "correct the path, or put it there",
        ),
        (
            "train.py",
            "there is no script train.py: processes start in an empty directory of their own",
            "write ${mounts.code}/train.py",
        ),
        (
            '"/a/train.py"',
            'there is no script "/a/train.py": processes start in an empty directory of their own',
            "write /a/train.py: quotes are a part of the path",
        ),
    ],
)
def test_a_missing_script(found, tmp_path, script, message, hint):
    job = f"inputs: {{CODE: '${{mounts.code}}'}}, pyTorch: {{script: '{script}'}}"
    listed = found(job, ", blob: 'azureBlob://acc/b'")
    # `bai lint` knows what is in a folder of this machine, and has a code for it.
    code = "BAI721" if "code/no.py" in message else "BAI405"
    assert listed == [(code, f"'{script}'", message.replace("{}", str(tmp_path)), hint)]


@pytest.mark.parametrize(
    ("script", "hint"),
    [
        ("${mounts.code}/trian.py", "did you mean train.py?"),
        ("${mounts.code}/TRAIN.py", "did you mean train.py?"),
        ("${mounts.code}/moedls/small/x.py", "did you mean models?"),
        ("${mounts.code}/models/x.py", "put it there, or correct the path or the mount"),
        ("{}/code/train", "did you mean train.py?"),
        ("{}/cdoe/train.py", "did you mean code?"),
    ],
)
def test_a_misspelt_script(found, tmp_path, script, hint):
    (tmp_path / "code/models").mkdir()
    script = script.replace("{}", str(tmp_path))
    assert [each[3] for each in found(f"pyTorch: {{script: '{script}'}}")] == [hint]


def test_a_missing_config_file(found, tmp_path):
    ((code, text, message, _),) = found("cntk: {config: '${mounts.code}/net.cntk'}")
    assert (code, text) == ("BAI721", "'${mounts.code}/net.cntk'")
    assert message == "there is no config file code/net.cntk"
    ((code, text, message, _),) = found("cntk: {config: '${mounts.r}/net.cntk'}")
    assert (code, text) == ("BAI405", "'${mounts.r}/net.cntk'")
    share = tmp_path / ".bai/storage/default/files/r"
    assert message.startswith(f"there is no config file {share}/net.cntk")


@pytest.mark.parametrize(
    "job",
    [
        "preparation: make, pyTorch: {script: '${mounts.r}/no.py'}",
        "preparation: 'make -C ${mounts.code}', pyTorch: {script: '${mounts.code}/no.py'}",
        "pyTorch: {script: '${mounts.code}/train.py'}",
        "pyTorch: {script: '$SOMEWHERE/no.py'}",
        "pyTorch: {script: $AZ_BATCHAI_JOB_TEMP/no.py}",
        "pyTorch: {script: -m, args: package.train}",
    ],
)
def test_scripts_that_may_well_be_there(found, job):
    assert found(job) == []


@pytest.mark.parametrize(
    ("job", "marked"),
    [
        ('horovod: {script: -m, args: "a \'b"}', "'"),
        ('tensorFlow: {script: -m, masterArgs: x, workerArgs: "\'", workerCount: 2}', "'"),
        ('caffe: {config: /dev/null, args: "\'"}', "'"),
    ],
)
def test_arguments_that_are_no_words_are_refused_before_a_plan(found, job, marked):
    with pytest.raises(FindingsError) as caught:
        found(job)
    (one,) = [each for each in caught.value.findings if each.code == "BAI704"]
    assert one.span.end_column - one.span.column == len(marked)
    assert f"the quote {marked} " in one.message


def test_a_secret_in_the_arguments(found, monkeypatch):
    monkeypatch.setenv("SOURCE", "s3cr3t")
    job = "secrets: {T: env:SOURCE}, pyTorch: {script: -m, args: --to $T}"
    assert [each[:2] for each in found(job)] == [("BAI605", "--to $T")]
    job = "secrets: {T: env:SOURCE}, custom: {command: echo $T}"
    assert found(job) == []


def test_a_secret_in_a_key_vault(found):
    vault = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"
    secret = f"{{keyVault: {{vault: {vault}, url: 'https://v.vault.azure.net/secrets/s'}}}}"
    (one,) = found(f"secrets: {{T: {secret}}}, custom: {{command: 'true'}}")
    message = "the secret T is in a Key Vault, which this engine can't read"
    assert (one[0], *one[2:]) == ("BAI604", message, "write env:NAME or file:PATH")


@pytest.mark.parametrize(
    ("job", "marked", "context"),
    [
        ("customMpi: {command: x}", "customMpi", {}),
        ("pyTorch: {script: -m, backend: mpi, processCount: 2}", "mpi", {}),
        ("horovod: {script: -m}", "horovod", {"launcher": "mpirun"}),
    ],
)
def test_a_launcher_that_is_not_installed(found, monkeypatch, job, marked, context):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    ((code, text, _, hint),) = found(job, **context)
    assert (code, text) == ("BAI705", marked)
    assert hint == "install it: apt install openmpi-bin, or pip install impi-rt"


@pytest.mark.parametrize("more", ["environment: {PATH: /opt/mpi/bin}", "preparation: ./install"])
def test_a_launcher_that_the_job_may_bring_itself(found, monkeypatch, more):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert found(f"{more}, customMpi: {{command: x}}") == []


def test_a_launcher_beside_the_interpreter_of_the_context(found, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    for name in ("python", "mpirun"):
        (tmp_path / name).touch(mode=0o755)
    assert found("customMpi: {command: x}", python=tmp_path / "python") == []


def test_horovod_that_is_not_installed(found, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    ((code, text, _, _),) = found("horovod: {script: -m}")
    assert (code, text) == ("BAI707", "horovod")


def test_all_of_it_are_errors_but_what_has_no_effect(found):
    more = ", m: 'azureFile:m?fileMode=0700'"
    found("container: 'x:1', pyTorch: {script: x}", more, containers="none")
    plan = load("spec.yaml").diff()
    assert {f.code for f in plan.findings} - {f.code for f in errors(plan.findings)} == {"BAI510"}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[contexts.lab.engine]\nslots = 9\n", "lab"),
        ("[contexts.lab]\n[contexts.home]\n", "local"),
        ('current-context = "home"\n[contexts.lab]\n[contexts.home]\n', "home"),
        ("", "local"),
    ],
)
def test_the_only_context_of_a_file_is_the_current_one(text, name, tmp_path):
    (tmp_path / "bai.toml").write_text(text)
    assert load_contexts(tmp_path)[1] == name
