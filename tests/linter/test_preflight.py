"""The check of files before a run."""

from types import SimpleNamespace

import pytest
from compiling import compile_specs
from loading import WITH_FOLDER, load_text

from bai.compiler.compilation import Defaults
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
