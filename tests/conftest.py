"""What all tests share."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import containing
import pytest
from azurite import served
from compiling import compile_spec
from contexts import context_text
from engines import ENGINES, TestedEngine
from hypothesis import HealthCheck, is_hypothesis_test, settings
from loading import load_text

from bai.compiler.compilation import Defaults

ROOT = Path(__file__).parents[1]

# How long an example takes is the machine's matter; benchmarks/ measures speed.
settings.register_profile("bai", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bai")

# A background shell has its commands ignore Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

STARTING = {"bai", "edit", "edit_with", "user", "wheel"}
"""Fixtures that start programs: bai, a language server, pre-commit, a build."""


def pytest_collection_modifyitems(items):
    """Mark as slow what starts programs, and what Hypothesis calls with many inputs."""
    for item in items:
        made = is_hypothesis_test(getattr(item, "obj", None))
        trains = item.get_closest_marker("horovod")
        if made or trains or STARTING.intersection(item.fixturenames):
            item.add_marker("slow")


MISSING = re.compile("not installed|could not import|there is no |there are no |built without")
"""What the reasons of skips say where a program or a package is missing."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Fail where a test is skipped for want of software, if BAI_TEST_ALL says that all is there."""
    report = yield
    if report.skipped and os.environ.get("BAI_TEST_ALL") and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if MISSING.search(reason):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} may not be skipped here: {reason}"
    return report


SHARE = "mounts: {r: azureFile:r}\n      logs: ${mounts.r}"


@dataclass
class Bai:
    """The installed `bai`, run in a folder of the test's own."""

    folder: Path
    environment: dict[str, str]
    command: list[str]
    engine: TestedEngine = ENGINES["local"]

    @property
    def storage(self) -> Path:
        """The folder of the storage accounts, unless `context` names another one."""
        return self.folder / ".bai/storage"

    def run(self, *arguments: object, code: int | None = 0, **more: object):
        """Run bai to its end; `code` is the exit code it must have, None for any."""
        environment = self.environment | more.pop("env", {})
        done = subprocess.run(
            [*self.command, *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            **more,
        )
        if code is not None:
            assert done.returncode == code, f"{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    def start(self, *arguments: object) -> "subprocess.Popen[str]":
        """Start bai and return the process, with pipes for its output."""
        return subprocess.Popen(
            [*self.command, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def write(self, jobs: str, *, scale: int = 2, name: str = "experiment.yaml") -> Path:
        """Write a spec with one cluster `c` and the given jobs, indented by four spaces."""
        path = self.folder / name
        path.write_text(
            "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: test}\nspec:\n"
            f"  clusters:\n    c: {{vmSize: STANDARD_D2_V2, scale: {scale}}}\n  jobs:\n{jobs}"
        )
        return path

    def custom(self, name: str, command: str, **keys: object) -> str:
        """Return the text of a job that runs a command on one node."""
        lines = [f"      {key}: {value}" for key, value in keys.items()]
        return "\n".join(
            [
                f"    {name}:",
                "      nodeCount: 1" if "nodeCount" not in keys else "",
                f"      {SHARE}",
                *lines,
                f"      custom: {{command: {json.dumps(command)}}}",
                "",
            ]
        )

    def context(self, **values: object) -> None:
        """Write a bai.toml with these values in its only context."""
        text = context_text("test", values, self.engine.table)
        (self.folder / "bai.toml").write_text(text)


def command() -> list[str]:
    """Return the command line of the bai that is installed beside this interpreter."""
    installed = Path(sys.executable).with_name("bai")
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "bai.cli.main"]


@pytest.fixture(scope="session")
def environment():
    """The environment of a new user: none of bai's variables, no colours."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("BAI_", "AZURE_", "AZ_"))}
    for name in ("FORCE_COLOR", "PYTHONUNBUFFERED"):
        kept.pop(name, None)
    return kept | {"COLUMNS": "100"}


@pytest.fixture(scope="session", autouse=True)
def programs():
    """Put the programs that come with the tests on the path: ShellCheck stands beside Python."""
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module")
def azurite():
    """A server of Azure's blob service. Tests of nodes end all processes below their own."""
    with served() as server:
        yield server


@pytest.fixture
def engine():
    """The engine that `bai` runs jobs on."""
    return ENGINES["local"]


@contextmanager
def using(folder: Path, environment: dict[str, str], engine: TestedEngine) -> Iterator[Bai]:
    """Yield bai in a folder; no job outlives this."""
    user = Bai(folder, {**environment, **engine.environment}, command(), engine)
    user.context(slots=2)
    yield user
    if (folder / ".bai").exists():
        listed = user.run("get", "jobs", "-o", "name", code=None)
        for line in listed.stdout.split():
            user.run("cancel", line.removeprefix("job/"), code=None)


@pytest.fixture(scope="session")
def podman_image():
    """The image of jobs in containers, and the variables that podman is run with."""
    if reason := containing.missing():
        pytest.skip(reason)
    return containing.made_image()


@pytest.fixture
def image(podman_image, bai):
    """The image of jobs; bai runs them with podman."""
    name, variables = podman_image
    bai.environment |= variables
    bai.context(slots=2, containers="podman")
    return name


@pytest.fixture
def left(podman_image, bai):
    """Return the containers that are left of the only attempt."""
    _, variables = podman_image
    return lambda: containing.containers(variables, containing.uuid(bai))


@pytest.fixture
def bai(tmp_path, environment, engine):
    """bai in an empty folder, on a machine that takes two processes; no job outlives the test."""
    with using(tmp_path, environment, engine) as user:
        yield user


@pytest.fixture(scope="module")
def shared_bai(tmp_path_factory, environment):
    """bai in a folder that the tests of a module share: one run serves several of them."""
    with using(tmp_path_factory.mktemp("shared"), environment, ENGINES["local"]) as user:
        yield user


@pytest.fixture(scope="session")
def keras_python():
    """The interpreter of the environment with TensorFlow."""
    python = os.environ.get("BAI_KERAS_PYTHON") or ROOT / ".venv-keras/bin/python"
    if not Path(python).exists():
        pytest.skip("there is no environment with TensorFlow (make keras)")
    return python


@pytest.fixture
def needs_mpirun():
    """Skip where there is no mpirun."""
    if not shutil.which("mpirun"):
        pytest.skip("mpirun is not installed (apt install openmpi-bin)")


@pytest.fixture
def intel_mpi():
    """The folder of Intel MPI's runtime; skip where it was not installed."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = sorted((cache / "bai/intel-mpi").glob("[0-9]*/bin/mpirun"))
    if not found:
        pytest.skip("Intel MPI is not installed (python tools/intel_mpi.py)")
    return found[-1].parents[1]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """A wheel built from this checkout, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
    source = tmp_path_factory.mktemp("source") / "bai"
    subprocess.run(["git", "clone", "--quiet", ROOT, source], check=True)
    done = subprocess.run([*build, "-w", folder, source], capture_output=True, check=False)
    if b"setuptools" in done.stderr and b"No module" in done.stderr:
        pytest.skip("setuptools is not installed")
    assert done.returncode == 0, done.stderr.decode()
    (path,) = folder.glob("bai-*.whl")
    return path


@pytest.fixture
def small(tmp_path_factory):
    """A file system with room for 1 MiB."""
    if os.geteuid() != 0:
        pytest.skip("needs root to mount a small file system")
    folder = tmp_path_factory.mktemp("small")
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("can't mount a tmpfs here")
    yield folder
    subprocess.run(["umount", folder], check=True)


HEADER = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: experiment}
spec:
"""


@pytest.fixture
def load_spec():
    """Return a function from the content of `spec` to the loaded spec."""

    def load(content):
        result = load_text(HEADER + textwrap.indent(content, "  "), "spec.yaml", "/project")
        assert result.findings == ()
        [spec] = result.specs
        return spec

    return load


@pytest.fixture
def compile_text(load_spec):
    """Return a function from the content of `spec` to its compilation."""

    def compile_content(content, **defaults):
        names = {"resource_group": "group", "workspace": "space", "location": "eastus"}
        return compile_spec(load_spec(content), Defaults(**(names | defaults)))

    return compile_content
