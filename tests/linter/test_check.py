"""What people suppress, by a comment or by settings, stops no compilation either."""

from pathlib import Path

import pytest
from loading import ONE_JOB, load_text

from bai.compiler.compilation import Defaults
from bai.compiler.compile import compile_specs
from bai.linter.check import check
from bai.linter.driver.settings import Settings
from bai.linter.driver.settings_files import Found
from bai.specs.findings import Severity

DEFAULTS = Defaults("s", "g", "w", "l")
SPEC = (
    ONE_JOB
    + """\
      nodeCount: 1
      mounts: {r: azureFile:results}
      logs: ${mounts.r}
      custom: {command: ls $AZ_BATCHAI_INPUT_DATA}
"""
)


def codes(text, settings_of=None):
    loaded = load_text(text, "s.yaml", "/project/specs")
    assert loaded.findings == ()
    compilations = check(loaded.specs, compile_specs(loaded.specs, DEFAULTS), settings_of)
    return [finding.code for each in compilations for finding in each.findings]


def test_without_suppressions_all_is_found():
    assert codes(SPEC) == ["BAI404"]


@pytest.mark.parametrize(
    "text",
    [
        SPEC.replace("DATA}", "DATA}  # bai: ignore[BAI404] of the image"),
        SPEC.replace("      custom", "      # bai: ignore[BAI4]\n      custom"),
        f"# bai: ignore-file[BAI404]\n{SPEC}",
    ],
)
def test_a_comment_suppresses_findings_of_rules(text):
    assert codes(text) == []


def test_a_comment_about_another_finding_suppresses_nothing():
    assert codes(f"# bai: ignore-file[BAI405]\n{SPEC}") == ["BAI404"]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        (Settings(), ["BAI404"]),
        (Settings(ignore=("BAI4",)), []),
        (Settings(select=("BAI2",)), []),
        (Settings(per_file_ignores=(("specs/*", ("BAI404",)),)), []),
        (Settings(per_file_ignores=(("other/*", ("BAI404",)),)), ["BAI404"]),
    ],
)
def test_settings_suppress_findings_of_rules(tmp_path, monkeypatch, settings, expected):
    (tmp_path / "specs").mkdir()
    monkeypatch.chdir(tmp_path / "specs")
    asked = []

    def settings_of(folder):
        asked.append(folder)
        return Found(settings, tmp_path, None)

    assert codes(SPEC, settings_of) == expected
    assert set(asked) == {"/project/specs"}


def test_settings_of_a_clean_spec_are_not_read():
    def settings_of(folder):
        raise AssertionError(folder)

    assert codes(SPEC.replace("ls $AZ_BATCHAI_INPUT_DATA", "ls"), settings_of) == []


def test_errors_of_the_compiler_can_not_be_suppressed():
    text = f"# bai: ignore-file[BAI401]\n{SPEC}".replace(
        "{command: ls $AZ_BATCHAI_INPUT_DATA}", '{command: "${mounts.x}"}'
    )
    assert codes(text, lambda _: Found(Settings(ignore=("BAI",)), Path("/"), None)) == ["BAI401"]


def test_warnings_of_the_compiler_can_be():
    text = SPEC.replace("name: t", "name: t, location: estus").replace("$AZ_BATCHAI_INPUT_DATA", "")
    loaded = load_text(text, "s.yaml", "/project")
    [compilation] = compile_specs(loaded.specs, DEFAULTS)
    [finding] = compilation.findings
    assert (finding.code, finding.severity) == ("BAI324", Severity.WARNING)
    assert codes(text) == ["BAI324"]
    assert codes(f"# bai: ignore-file[BAI324]\n{text}") == []


def test_documents_of_one_file_are_suppressed_each_at_its_place():
    other = SPEC.replace("name: t", "name: u")
    text = f"{SPEC}---\n{other.replace('DATA}', 'DATA}  # bai: ignore[BAI404]')}"
    assert codes(text) == ["BAI404"]
