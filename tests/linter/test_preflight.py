"""The check of files before a run."""

from types import SimpleNamespace

import pytest
from compiling import compile_specs
from loading import WITH_FOLDER, load_text

from bai.compiler.compilation import Defaults
from bai.linter.driver.packages import InstalledPackages
from bai.linter.preflight import preflight

SPEC = WITH_FOLDER + "      custom: {command: 'python %s'}\n"


@pytest.fixture
def found(tmp_path):
    """Return a function from a script's path, and an interpreter, to codes (before, of files)."""
    (tmp_path / "broken.py").write_text("if a\n")

    def codes(script, python=None):
        loaded = load_text(SPEC % script, "s.yaml", str(tmp_path))
        assert loaded.findings == ()
        compiled = compile_specs(loaded.specs, Defaults("s", "g", "w", "l"))
        noticed = preflight(loaded.specs, compiled, SimpleNamespace(python=python))
        before = [each.code for one in compiled for each in one.findings]
        return before, [each.code for findings in noticed.values() for each in findings]

    return codes


def test_a_script_that_does_not_compile(found):
    assert found("${mounts.code}/broken.py") == ([], ["BAI722"])


def test_scripts_for_another_python_are_not_compiled(found):
    assert found("${mounts.code}/broken.py", "/opt/python3.8/bin/python") == ([], [])


def test_missing_scripts_are_found_for_any_python(found):
    assert found("${mounts.code}/gone.py", "/opt/python3.8/bin/python") == ([], ["BAI721"])


def test_a_rule_that_finds_more_with_files_runs_again(found):
    assert found("broken.py") == ([], ["BAI710"])


HOROVOD = WITH_FOLDER + "      horovod: {script: '${mounts.code}/train.py', processCount: 2}\n"
IMPORTS = {
    "import horovod.keras as hvd\nhvd.init()\nhvd.DistributedOptimizer(1)\n": True,
    "import horovod.tensorflow.keras as hvd\nhvd.init()\nx = [hvd.callbacks.A(0)]\n": True,
    "from horovod.keras import DistributedOptimizer, init\ninit()\n": True,
    "from horovod.tensorflow.keras.callbacks import A\nimport horovod.keras as h\nh.init()\n": True,
    "import horovod.keras\nhorovod.keras.init()\nhorovod.keras.load_model('m')\n": True,
    "import horovod.keras as hvd\nhvd.init()\nprint(hvd.rank())\n": False,
    "import horovod.tensorflow as hvd\nhvd.init()\nx = hvd.DistributedOptimizer(1)\n": False,
    "import bai.keras as hvd\nhvd.init()\nx = hvd.DistributedOptimizer(1)\n": False,
}


@pytest.fixture
def environment_of(tmp_path):
    """Return a function from a version of Keras to the interpreter of an environment with it."""

    def make(version):
        packages = tmp_path / version / "lib/python3.12/site-packages"
        (packages / f"keras-{version}.dist-info").mkdir(parents=True)
        metadata = f"Metadata-Version: 2.1\nName: keras\nVersion: {version}\n"
        (packages / f"keras-{version}.dist-info/METADATA").write_text(metadata)
        (tmp_path / version / "bin").mkdir()
        (tmp_path / version / "bin/python").symlink_to("/usr/bin/python3")
        return str(tmp_path / version / "bin/python")

    return make


def keras_findings(folder, python, more=""):
    loaded = load_text(HOROVOD + more, "s.yaml", str(folder))
    assert loaded.findings == ()
    compiled = compile_specs(loaded.specs, Defaults("s", "g", "w", "l"))
    noticed = preflight(loaded.specs, compiled, SimpleNamespace(python=python))
    found = [each for findings in noticed.values() for each in findings]
    return [each for each in found if each.code == "BAI738"]


@pytest.mark.parametrize(("script", "wrong"), IMPORTS.items())
def test_wrappers_for_keras_2_with_keras_3(tmp_path, environment_of, script, wrong):
    (tmp_path / "train.py").write_text(script)
    found = keras_findings(tmp_path, environment_of("3.15.1"))
    assert len(found) == wrong
    for each in found:
        assert "would have Keras 3.15.1" in each.message
        assert "import bai.keras as hvd" in each.hint


@pytest.mark.parametrize("version", ["2.15.0", None])
def test_wrappers_for_keras_2_with_keras_2_or_none(tmp_path, environment_of, version):
    (tmp_path / "train.py").write_text(next(iter(IMPORTS)))
    python = environment_of(version) if version else str(tmp_path / "none/bin/python")
    assert keras_findings(tmp_path, python) == []


@pytest.mark.parametrize(
    "more",
    [
        "      container: tensorflow/tensorflow:1.8.0-gpu\n",
        "      environment: {TF_USE_LEGACY_KERAS: 1}\n",
    ],
)
def test_jobs_that_have_another_keras_are_left_alone(tmp_path, environment_of, more):
    (tmp_path / "train.py").write_text(next(iter(IMPORTS)))
    assert keras_findings(tmp_path, environment_of("3.15.1"), more) == []


def test_the_packages_of_the_python_that_runs_bai():
    assert InstalledPackages(None).version("pytest") == pytest.__version__
    assert InstalledPackages(None).version("no-such-package") is None
