"""Secrets are planted wherever a spec can name one, and looked for wherever they could leak to."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

import pytest
from watching import job_json, until

IN_JOB = "API_TOKEN"
"""The only secret that is the job's own."""

COMPONENT = "/subscriptions/0/resourceGroups/g/providers/microsoft.insights/components/insights"

ASK_PYTHON = """\
import sys, traceback, bai
session = bai.connect()
for kind in ("workspace", "experiment", "cluster", "fileServer", "job"):
    for live in session.resources(kind):
        print(repr(live), live, vars(live) if hasattr(live, "__dict__") else "")
job = session.job("held")
print(job, job.attempt, job.events(), job.outputs, list(job.logs()))
experiment = bai.load("experiment.yaml")
limits = bai.Limits(without_containers=True)
print(experiment, experiment.lint(), experiment.compile(), experiment.submissions())
written = bai.spec.Experiment.read("experiment.yaml")
print(written, written.jobs, vars(written), written.to_yaml(), bai.load(written).findings)
print(repr(experiment.diff(limits=limits)))
try:
    experiment.apply(rerun=True)
except Exception as error:
    report = traceback.TracebackException.from_exception(error, capture_locals=True)
    print(*report.format())
"""


class Planted:
    """Secrets with the place that each is planted at."""

    def __init__(self, folder: Path, source: str) -> None:
        self.values: dict[str, str] = {}
        self.variables: dict[str, str] = {}
        self._folder = folder
        self._source = source

    def at(self, place: str) -> str:
        """Plant a new secret and return the reference to it."""
        name = "CANARY_" + place.upper().replace(" ", "_")
        value = self.values[place] = f"canary{secrets.token_hex(12)}"
        if self._source == "env":
            self.variables[name] = value
            return f"env:{name}"
        path = self._folder / name
        path.write_text(f"{value}\n")
        return f"file:{path}"

    def found_in(self, data: bytes) -> set[str]:
        """Return the places of the secrets in some data, also of those written in hex."""
        values = {place: value.encode() for place, value in self.values.items()}
        forms = {place: (value, value.hex().encode()) for place, value in values.items()}
        return {place for place, each in forms.items() if any(form in data for form in each)}


def spec(planted: Planted, gate: Path) -> dict:
    """Return a spec with a secret at every place that takes one."""

    def volumes(where: str) -> dict:
        return {
            "share": {
                "azureFile": {"account": "acc", "share": "s", "key": planted.at(f"{where} file")}
            },
            "blob": {
                "azureBlob": {
                    "account": "acc",
                    "container": "b",
                    "key": planted.at(f"{where} blob"),
                }
            },
        }

    return {
        "apiVersion": "bai/v1",
        "kind": "Experiment",
        "metadata": {"name": "canary"},
        "spec": {
            "storageAccount": "general",
            "storageKey": planted.at("storage key"),
            "clusters": {
                "c": {
                    "vmSize": "STANDARD_D2_V2",
                    "scale": 2,
                    "user": {"name": "admin", "password": planted.at("cluster user")},
                    "mounts": volumes("cluster"),
                    "setupTask": {
                        "command": f"until test -e {gate}.nodes; do sleep 0.1; done",
                        "secrets": {"SETUP": planted.at("setup task")},
                        "logs": "$AZ_BATCHAI_MOUNT_ROOT/share",
                    },
                    "performanceCounters": {
                        "component": COMPONENT,
                        "instrumentationKey": planted.at("insights"),
                    },
                }
            },
            "fileServers": {
                "nfs": {
                    "vmSize": "STANDARD_DS2_V2",
                    "disks": {"count": 1, "size": "10g", "type": "standard"},
                    "user": {"name": "admin", "password": planted.at("file server user")},
                }
            },
            "jobs": {
                "held": {
                    "nodeCount": 1,
                    "container": {
                        "image": "registry.example.com/train:1",
                        "server": "registry.example.com",
                        "credentials": {"username": "ci", "password": planted.at("registry")},
                    },
                    "mounts": {"r": "azureFile:r", **volumes("job")},
                    "secrets": {IN_JOB: planted.at("job")},
                    "logs": "${mounts.r}",
                    "preparation": "true",
                    # A child that runs as long, beside the shell.
                    "custom": {"command": f"sleep 300 & echo begun; read x < {gate}; exit 3"},
                }
            },
        },
    }


def places_of_secrets(schema: dict) -> set[tuple[str, ...]]:
    """Return the paths at which an experiment takes a secret, with `*` for free names."""
    found = set()

    def look(node: object, path: tuple[str, ...]) -> None:
        if isinstance(node, list):
            for each in node:
                look(each, path)
        elif isinstance(node, dict):
            name = node.get("$ref", "").rpartition("/")[2]
            if name == "SecretForm":
                found.add(path)
            elif name:
                look(schema["$defs"][name], path)
            for key, inner in node.get("properties", {}).items():
                look(inner, (*path, key))
            for inner in (
                node.get("additionalProperties"),
                *node.get("patternProperties", {}).values(),
            ):
                look(inner, (*path, "*"))
            for word in ("anyOf", "oneOf", "allOf"):
                look(node.get(word), path)

    # The documents of other kinds have parts of it.
    look(schema["$defs"]["Experiment"], ())
    return found


def planted_places(data: object, path: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    """Return the paths of a spec's references to secrets."""
    if isinstance(data, dict):
        return {p for key, inner in data.items() for p in planted_places(inner, (*path, key))}
    return {path} if str(data).startswith("env:CANARY_") else set()


def matches(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Return whether a path is of a pattern with `*`."""
    return len(path) == len(pattern) and all(
        want in ("*", key) for key, want in zip(path, pattern, strict=True)
    )


def test_a_secret_is_planted_wherever_the_language_takes_one(bai, tmp_path):
    patterns = places_of_secrets(json.loads(bai.run("schema").stdout))
    planted = planted_places(spec(Planted(tmp_path, "env"), tmp_path / "gate"))
    assert len(patterns) > 8
    missed = {p for p in patterns if not any(matches(path, p) for path in planted)}
    assert missed == set()


@pytest.fixture(params=["env", "file"])
def planted(request, tmp_path_factory, bai, monkeypatch):
    """Planted secrets, a spec that names them, and commands that could find them."""
    found = Planted(tmp_path_factory.mktemp("secrets"), request.param)
    text = json.dumps(spec(found, bai.folder / "gate"), indent=1)
    (bai.folder / "experiment.yaml").write_text(text)
    (bai.folder / "temporary").mkdir()
    bai.context(**{"slots": 2, "setup-task": "run"})
    os.mkfifo(bai.folder / "gate")
    found.values["the default storage key"] = "canary" + secrets.token_hex(12)
    found.variables["AZURE_BATCHAI_STORAGE_KEY"] = found.values["the default storage key"]
    bai.environment |= found.variables
    bai.environment |= {"TMPDIR": str(bai.folder / "temporary"), "BAI_DEBUG": "1"}
    return found


APPLY = ("apply", "experiment.yaml", "--without-containers")
COMMANDS = [
    ("lint", "experiment.yaml"),
    *(("lint", "experiment.yaml", "-o", form) for form in ("json", "sarif", "github")),
    *(("compile", "experiment.yaml", "-o", form) for form in ("json", "yaml")),
    ("compile", "experiment.yaml", "-d", "compiled"),
    ("compile", "experiment.yaml", "--submission"),
    ("diff", "experiment.yaml", "--without-containers"),
    (*APPLY, "--dry-run=client"),
    (*APPLY, "--dry-run=server"),
    ("apply", "experiment.yaml"),
    (*APPLY, "-d"),
    ("get",),
    *(("get", kind, "-o", form) for kind in ("jobs", "clusters") for form in ("json", "yaml")),
    ("get", "fileServers", "-o", "json"),
    *(("describe", *each) for each in (("job", "held"), ("cluster", "c"), ("fileServer", "nfs"))),
    ("context", "show"),
    ("storage", "ls"),
    ("explain", "job.secrets"),
    ("logs", "held"),
]


AFTERWARDS = [("get", "jobs", "-o", "json"), ("describe", "job", "held"), ("logs", "held")]


def told(bai, commands):
    """Return what commands say, whatever they are asked and however they end."""
    done = [bai.run(*each, code=None) for each in commands]
    return "".join(each.stdout + each.stderr for each in done).encode()


def files_below(folder: Path):
    """Yield the files below a folder."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            yield path


def leaks_in_files(planted, folder):
    """Return the files that hold a secret and can be read by others."""
    return {
        str(path): found
        for path in files_below(folder)
        if (found := planted.found_in(path.read_bytes() + path.name.encode()))
    }


def every(name: str) -> dict[int, bytes]:
    """Return /proc/PID/NAME of all processes."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                found[int(folder.name)] = (folder / name).read_bytes()
            except OSError:
                continue
    return found


def of_job(bai) -> dict[int, bytes]:
    """Return the environments of the processes of the job."""
    marker = f"BAI_ATTEMPT={job_json(bai, 'held')['jobOutputDirectoryPathSegment'][-36:]}"
    # bai's own processes for the job have no such variable.
    return {
        pid: env for pid, env in every("environ").items() if marker.encode() in env.split(b"\0")
    }


def of_setup(bai) -> list[bytes]:
    """Return the environments of the processes of setup tasks."""
    nodes = [f"BAI_NODE={each.name}".encode() for each in bai.folder.glob(".bai/nodes/*")]
    return [env for env in every("environ").values() if {*nodes} & {*env.split(b"\0")}]


def start(bai, planted):
    """Start the job after the setup tasks, and wait until its processes run."""
    done = bai.run(*APPLY, "-d", "-o", "json")
    # What jobs name is not known when their cluster is put: variables of the user's as any other.
    of_jobs = {"job", "job file", "job blob", "registry", "storage key"}
    for environment in until(lambda: of_setup(bai), "the setup tasks"):
        found = planted.found_in(environment)
        assert (found - of_jobs if bai.engine.inherits else found) == {"setup task"}
    assert planted.found_in(b"\n".join(every("cmdline").values())) == set()
    (bai.folder / "gate.nodes").touch()
    until(lambda: "begun" in bai.run("logs", "held").stdout, "the job's shell")
    return (done.stdout + done.stderr).encode()


def test_secrets_leak_nowhere(bai, planted):
    # What reads a spec does not look secrets up; once is enough.
    said = start(bai, planted) + told(bai, COMMANDS if len(planted.variables) > 1 else AFTERWARDS)
    assert b"held" in said
    running = of_job(bai)
    assert len(running) > 1
    for environment in running.values():
        # Without its image a job knows nothing of the registry any more: see below.
        assert planted.found_in(environment) - {"registry"} == {"job"}
    lines = every("cmdline").values()
    assert planted.found_in(b"\n".join(lines)) == set()
    readable = leaks_in_files(planted, bai.folder)
    assert all(Path(path).stat().st_mode & 0o077 == 0 for path in readable), readable
    (bai.folder / "gate").write_text("go\n")
    bai.run("wait", "held", code=1)
    said += told(
        bai, [("get", "jobs", "-o", "json"), ("describe", "job", "held"), ("logs", "held")]
    )
    asked = subprocess.run(
        [sys.executable, "-c", ASK_PYTHON],
        cwd=bai.folder,
        env=bai.environment,
        capture_output=True,
        check=False,
    )
    assert b"Error" in asked.stdout, asked.stderr
    said += asked.stdout + asked.stderr
    # Something goes wrong inside bai.
    database = bai.folder / ".bai/state.db"
    kept = database.read_bytes()
    database.write_bytes(kept[:100] + bytes(len(kept) - 100))
    said += told(bai, [("describe", "job", "held"), APPLY])
    database.write_bytes(kept)
    said += told(bai, [("delete", "-f", "experiment.yaml", "-y")])
    assert planted.found_in(said) == set()
    assert leaks_in_files(planted, bai.folder) == {}


def test_a_job_outside_its_image_does_not_get_the_password_of_its_registry(bai, planted):
    if len(planted.variables) == 1:
        pytest.skip("the password is in a file")
    start(bai, planted)
    environments = of_job(bai).values()
    (bai.folder / "gate").write_text("go\n")
    assert not [each for each in environments if "registry" in planted.found_in(each)]


def test_a_missing_secret_is_named_and_others_stay_hidden(bai, planted):
    spec = bai.folder / "experiment.yaml"
    spec.write_text(spec.read_text().replace(f'"{IN_JOB}"', '"GONE": "env:GONE", "X"'))
    refused = bai.run(*APPLY, code=2)
    assert "GONE is not set" in refused.stderr
    assert planted.found_in((refused.stdout + refused.stderr).encode()) == set()
