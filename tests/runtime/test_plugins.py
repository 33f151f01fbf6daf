"""Engines of other packages."""

import os
import subprocess
import sys
import textwrap

import pytest

from bai.runtime.context import select
from bai.runtime.engines.registry import ENGINES
from bai.specs.errors import ContextError

MODULE = """\
from dataclasses import dataclass
from bai.runtime.engines.registry import EngineType

@dataclass
class Settings:
    queue: str
    size: int
    context: str
    name: str = "slurm"
    python: str | None = None

    def shown(self):
        return {"queue": self.queue, "size": self.size}

def read(table, context, storage):
    return Settings(table.choice("queue", "short", "long"), table.count("size", 2), context)

def load(kept):
    return Settings(**kept)

SLURM = EngineType(("queue", "size"), read, lambda state, settings: (state, settings), load)
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a package with entry points for engines."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(site)
    monkeypatch.delenv("BAI_CONTEXT", raising=False)
    monkeypatch.chdir(tmp_path)

    def install(package, module, text, **points):
        (site / f"{module}.py").write_text(text)
        info = site / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in points.items()]
        (info / "entry_points.txt").write_text("\n".join(["[bai.engines]", *lines]))

    yield install
    for name in {path.stem for path in site.glob("*.py")}:
        sys.modules.pop(name, None)


def current(tmp_path, text):
    (tmp_path / "bai.toml").write_text(f"[contexts.far.engine]\nname = 'slurm'\n{text}")
    return select(None, tmp_path)


def test_an_engine_of_another_package_brings_its_own_keys(install, tmp_path):
    install("bai-slurm", "bai_slurm_a", MODULE, slurm="bai_slurm_a:SLURM")
    context = current(tmp_path, "queue = 'long'")
    assert context.engine_name == "slurm"
    assert "bai_slurm_a" not in sys.modules
    engine = context.engine
    assert (engine.queue, engine.size, engine.context) == ("long", 2, "far")
    assert ENGINES.names() == ("local", "slurm")
    for text, message in (
        (
            "queue = 'lnog'",
            "bai.toml:3:9: contexts.far.engine.queue can't be 'lnog' (did ",
        ),
        (
            "slots = 3",
            "engine.slots is no key of the engine slurm (valid here: name, queue, ",
        ),
        ("[contexts.far]\nsize = 3", "contexts.far.size belongs in [contexts.far.engine]"),
        ("[contexts.far.provider]\nqueue = 1", "provider.queue belongs in [contexts.far.engine]"),
    ):
        with pytest.raises(ContextError) as error:
            current(tmp_path, text).check()
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "point", "message"),
    [
        (
            "import bai_nothing",
            "bai_slurm_b:SLURM",
            (
                "bai.toml:2:8: contexts.far.engine.name can't be 'slurm': that of the package "
                "bai-slurm can't be loaded: ModuleNotFoundError: No module named 'bai_nothing'"
            ),
        ),
        ("", "bai_slurm_b:SLURM", "AttributeError: module 'bai_slurm_b' has no attribute 'SLURM'"),
        ("1 / 0", "bai_slurm_b:SLURM", "ZeroDivisionError: division by zero"),
        (
            "SLURM = 3",
            "bai_slurm_b:SLURM",
            "can't be 'slurm': its entry point names no bai.runtime.engines.registry.EngineType",
        ),
    ],
)
def test_an_engine_that_cant_be_loaded(install, tmp_path, text, point, message):
    install("bai-slurm", "bai_slurm_b", text, slurm=point)
    context = current(tmp_path, "")
    with pytest.raises(ContextError) as error:
        _ = context.engine
    assert message in str(error.value)


def test_two_packages_with_an_engine_of_one_name(install, tmp_path):
    install("bai-slurm", "bai_slurm_c", MODULE, slurm="bai_slurm_c:SLURM")
    install("acme", "bai_slurm_d", MODULE, slurm="bai_slurm_d:SLURM")
    with pytest.raises(ContextError, match="the packages acme and bai-slurm both bring one"):
        _ = current(tmp_path, "").engine


def test_a_built_in_engine_can_not_be_replaced(install, tmp_path):
    install("acme", "bai_slurm_e", "1 / 0", local="bai_slurm_e:X")
    assert ENGINES.find("local").keys[0] == "slots"
    assert ENGINES.names() == ("local",)


def test_the_hint_names_the_engines_of_other_packages(install, tmp_path):
    install("acme", "bai_slurm_f", "", slurmy="bai_slurm_f:X")
    with pytest.raises(ContextError, match=r"\(did you mean slurmy\? valid here: local, slurmy\)"):
        _ = current(tmp_path, "").engine


@pytest.mark.parametrize("words", [["--help"], ["lint", "x.yaml"], ["context", "--help"]])
def test_start_up_imports_no_engine(tmp_path, words):
    (tmp_path / "bai.toml").write_text("[contexts.a.engine]\nslots = 3\nname = 'local'\n")
    (tmp_path / "x.yaml").write_text("kind: Experiment\napiVersion: bai/v1\nmetadata: {name: x}\n")
    script = f"""
        import atexit, sys
        atexit.register(lambda: print("modules", *sys.modules))
        sys.argv[1:] = {words}
        from bai.cli.main import main
        main()
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=tmp_path,
        env=os.environ | {"BAI_CONTEXT": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    modules = done.stdout.partition("modules ")[2].split()
    assert "bai.cli.main" in modules, done.stderr
    runtime = {name for name in modules if name.startswith("bai.runtime.")}
    assert runtime <= {"bai.runtime.context", "bai.runtime.settings_table"}
