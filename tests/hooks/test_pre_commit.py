"""The hooks in .pre-commit-hooks.yaml, run by the real pre-commit in a real git repository."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / ".pre-commit-hooks.yaml"
SPEC = """apiVersion: bai/v1
kind: Experiment
metadata: {name: train}
spec:
  clusters:
    pair: {vmSize: STANDARD_D2_V2, scale: 2}
  jobs:
    train:
      nodeCount: 2
      mounts: {results: "azureFile:results"}
      logs: ${mounts.results}
      custom: {command: "true"}
"""
JOB = (ROOT / "tests/schemas/corpus/job/accepted/cifar10.json").read_text()
WRONG = JOB.replace('"nodeCount"', '"nodecount"')

YAML_AND_JSON = [
    "experiment.yaml",
    "train.yml",
    "examples/digits/experiment.yaml",
    "job.json",
    "training-job.json",
    "gpu/job_gpu.json",
    "package.json",
    "charts/web/values.yaml",
]
OTHERS = ["experiment.yaml.j2", "job.json.bak", "job.jsonl", "bai.toml", "train.py", "notes.txt"]


def run(*command, folder, code=0, env=None):
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


class User:
    """Somebody with a git repository, who uses the hooks."""

    def __init__(self, folder, environment):
        self.folder = folder / "project"
        self.hooks = folder / "hooks"
        # Inside of a git hook, git's variables are about another repository.
        kept = {key: value for key, value in environment.items() if not key.startswith("GIT_")}
        self.environment = kept | {
            "PRE_COMMIT_HOME": str(folder / "cache"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }
        for name in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{name}_NAME": "A", f"GIT_{name}_EMAIL": "a@example.org"}
        for path in (self.folder, self.hooks):
            path.mkdir()
            self.git("init", "-q", folder=path)

    def git(self, *words, folder=None, code=0):
        env = self.environment
        return run("git", *words, folder=folder or self.folder, env=env, code=code)

    def publish(self, manifest):
        """Make a repository of hooks."""
        (self.hooks / ".pre-commit-hooks.yaml").write_text(manifest)
        self.git("add", ".", folder=self.hooks)
        self.git("commit", "-qm", "hooks", folder=self.hooks)

    def use(self, *ids):
        """Configure hooks of the repository."""
        rev = self.git("rev-parse", "HEAD", folder=self.hooks).strip()
        repo = {"repo": str(self.hooks), "rev": rev, "hooks": [{"id": id} for id in ids]}
        config = yaml.safe_dump({"repos": [repo]})
        (self.folder / ".pre-commit-config.yaml").write_text(config)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        self.git("add", ".")

    def pre_commit(self, *words, code=0):
        command = (sys.executable, "-m", "pre_commit", *words, "--color=never")
        return run(*command, folder=self.folder, env=self.environment, code=code)


@pytest.fixture
def user(tmp_path, environment):
    """A user of the hooks as they are, but for where bai comes from: it is installed already."""
    pytest.importorskip("pre_commit")
    if not shutil.which("git"):
        pytest.skip("git is not installed")
    user = User(tmp_path, environment)
    user.publish(MANIFEST.read_text().replace("language: python", "language: system"))
    return user


def test_hooks_are_given_all_yaml_and_json(user):
    # The hooks say what they are given, instead of checking it.
    echo = (user.hooks / ".pre-commit-hooks.yaml").read_text()
    user.publish(re.sub("entry: bai lint.*", "entry: echo given", echo))
    user.use("bai-lint", "bai-lint-fix")
    for name in (*YAML_AND_JSON, *OTHERS):
        user.write(name, "x")

    def given(id):
        lines = user.pre_commit("run", id, "--all-files", "-v").splitlines()
        found = [line.split()[1:] for line in lines if line.startswith("given ")]
        return sorted(name for names in found for name in names)

    # What configures pre-commit is YAML as well.
    everything = sorted([*YAML_AND_JSON, ".pre-commit-config.yaml"])
    assert given("bai-lint") == given("bai-lint-fix") == everything


def test_files_are_known_by_what_they_hold(user):
    user.use("bai-lint")
    user.write("train.yaml", SPEC.replace("nodeCount:", "nodes:"))
    user.write("gpu/job_gpu.json", WRONG)
    user.write("package.json", '{"name": "web", "version": "1.0.0"}')
    user.write("charts/web/values.yaml", "replicaCount: 1\nproperties: {a: 1}\n")
    user.write("charts/web/templates/pod.yaml", "{{- if .Values.x }}\nkind: Pod\n{{- end }}\n")
    reported = user.pre_commit("run", code=1)
    assert re.findall(r"^(\S+?):\d+:\d+: ", reported, re.MULTILINE) == [
        "gpu/job_gpu.json",
        "train.yaml",
    ]


def test_what_is_not_ours_passes_without_a_word(user):
    user.use("bai-lint")
    user.write("package.json", '{"name": "web"}')
    reported = user.pre_commit("run", "-v")
    assert "Passed" in reported
    assert "warning" not in reported


def test_a_commit_with_findings_is_refused(user):
    user.use("bai-lint")
    user.pre_commit("install")
    user.write("experiment.yaml", SPEC.replace("nodeCount:", "nodes:"))
    user.write("recipes/job.json", WRONG)
    user.write("tsconfig.json", "{}")
    user.git("commit", "-qm", "broken", code=1)
    reported = user.pre_commit("run", code=1)
    assert re.search(r"experiment.yaml:\d+:7: error BAI201 unknown key 'nodes'", reported)
    assert re.search(r"recipes/job.json:4:9: error BAI201 .*nodecount", reported)
    assert "tsconfig" not in reported

    user.write("experiment.yaml", SPEC)
    user.write("recipes/job.json", JOB)
    user.git("commit", "-qm", "mended")
    assert user.git("log", "--format=%s") == "mended\n"


def test_only_what_is_committed_is_checked(user):
    user.use("bai-lint")
    user.write("job.json", JOB)
    (user.folder / "cluster.json").write_text("{")
    assert "Passed" in user.pre_commit("run")


def test_arguments_and_settings_of_the_project(user):
    user.use("bai-lint")
    user.write("job.json", WRONG)
    user.write("bai.toml", '[lint]\nignore = ["BAI201", "BAI202"]\n')
    assert "Passed" in user.pre_commit("run")


def test_fixes_are_made_and_shown_to_git(user):
    user.use("bai-lint-fix")
    user.write("experiment.yaml", "# bai: ignore-file[BAI506] not needed\n" + SPEC)
    reported = user.pre_commit("run", code=1)
    assert "files were modified by this hook" in reported
    assert (user.folder / "experiment.yaml").read_text() == SPEC
    user.git("add", ".")
    assert "Passed" in user.pre_commit("run")


def test_the_hooks_install_from_a_clone(user):
    """The hooks as they are: pre-commit builds bai; what bai needs is taken from here."""
    clone = user.hooks.with_name("clone")
    user.git("clone", "-q", ROOT, clone)
    shutil.copy(MANIFEST, clone)
    user.git("add", ".", folder=clone)
    user.git("commit", "-q", "--allow-empty", "-m", "hooks", folder=clone)
    user.hooks = clone
    user.use("bai-lint")
    user.write("experiment.yaml", SPEC.replace("nodeCount:", "nodes:"))
    user.environment |= {
        "PIP_IGNORE_INSTALLED": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this as: no isolation
        "PIP_NO_DEPS": "1",
        "PIP_NO_INDEX": "1",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path.endswith("-packages")),
    }
    reported = user.pre_commit("run", code=1)
    assert "error BAI201 unknown key 'nodes'" in reported
    assert list(user.folder.parent.glob("cache/repo*/py_env*/bin/bai"))
