"""Settings of `bai lint`: what they mean, what is refused, and where they come from."""

from pathlib import Path

import pytest

from bai.linter.driver.settings import Settings, SettingsError, matches, parse
from bai.linter.driver.settings_files import SettingsFinder
from bai.specs.errors import ContextError

KNOWN = ("BAI101", "BAI203", "BAI205", "BAI501")


@pytest.mark.parametrize(
    ("table", "reported"),
    [
        ({}, ["BAI203", "BAI205", "BAI501"]),
        ({"select": ["BAI2"]}, ["BAI203", "BAI205"]),
        ({"ignore": ["BAI2"]}, ["BAI501"]),
        ({"ignore": ["BAI"]}, []),
        ({"select": ["BAI203"], "ignore": ["BAI2"]}, ["BAI203"]),
        ({"select": ["BAI2"], "ignore": ["BAI203"]}, ["BAI205"]),
        ({"select": ["BAI2"], "ignore": ["BAI2"]}, []),
        ({"per-file-ignores": {"a/*": ["BAI2"], "c": ["BAI5"]}}, ["BAI501"]),
        ({"per-file-ignores": {"c/*": ["BAI2"]}}, ["BAI203", "BAI205", "BAI501"]),
    ],
)
def test_settings_say_which_findings_are_reported(table, reported):
    settings = parse(table)
    assert [code for code in KNOWN if settings.wants(code, "a/b.yaml")] == ["BAI101", *reported]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"slect": []}, "slect: there is no such key (did you mean select?)"),
        ({"select": "BAI2"}, "select: expected a list of strings"),
        ({"ignore": [2]}, "ignore: expected a list of strings"),
        ({"ignore": ["BAI230"]}, "ignore: there is no code 'BAI230' (`bai rules` lists them)"),
        ({"ignore": ["bai203"]}, "ignore: there is no code 'bai203' (did you mean BAI203?)"),
        ({"exclude": ["[z-a]"]}, "exclude: '[z-a]': bad character range z-a"),
        ({"ignore": ["E5"]}, "ignore: there is no code 'E5' (`bai rules` lists them)"),
        ({"select": [""]}, "select: there is no code '' (`bai rules` lists them)"),
        ({"exclude": ["/a"]}, "exclude: '/a': a pattern is relative"),
        ({"per-file-ignores": []}, "per-file-ignores: expected a table"),
        ({"per-file-ignores": {"a": "BAI2"}}, "per-file-ignores.a: expected a list of strings"),
        ({"per-file-ignores": {"": []}}, "per-file-ignores: '': a pattern is relative"),
    ],
)
def test_what_has_no_meaning_is_refused(table, message):
    with pytest.raises(SettingsError) as refused:
        parse(table)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("old", "old/a.yaml", True),
        ("old/", "x/old/a.yaml", True),
        ("old", "older/a.yaml", False),
        ("*.yaml", "x/y/a.yaml", True),
        ("x/*.yaml", "x/a.yaml", True),
        ("x/*.yaml", "x/y/a.yaml", False),
        ("x/*", "x/y/a.yaml", True),
        ("./x/**/a.yaml", "x/a.yaml", True),
        ("x/**/a.yaml", "x/y/z/a.yaml", True),
        ("x/**", "x/y/a.yaml", True),
        ("x/**", "xy/a.yaml", False),
        ("**/a.yaml", "a.yaml", True),
        ("a?.yaml", "ab.yaml", True),
        ("a[bc].yaml", "ac.yaml", True),
        ("a[!bc].yaml", "ac.yaml", False),
        ("a[b-d].yaml", "ac.yaml", True),
        ("a[.yaml", "a[.yaml", True),
        ("a.yaml", "a-yaml", False),
        ("a+(b)", "a+(b)", True),
    ],
)
def test_patterns(pattern, path, expected):
    assert matches(pattern, path) is expected


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, errors="surrogateescape")


def reported(file: Path) -> list[str]:
    found = SettingsFinder().of(file)
    return [code for code in KNOWN[1:] if found.wants(code, file)]


def test_the_nearest_folder_with_settings_decides_alone(tmp_path):
    write(tmp_path / "bai.toml", '[lint]\nselect = ["BAI5"]\n')
    write(tmp_path / "a/pyproject.toml", '[tool.bai.lint]\nselect = ["BAI203"]\n')
    write(tmp_path / "a/b/bai.toml", '[contexts.c.provider]\nstate = "lint"\n')
    write(tmp_path / "a/b/pyproject.toml", '[project]\nname = "bai-lint-tool"\n')
    assert reported(tmp_path / "x.yaml") == ["BAI501"]
    assert reported(tmp_path / "a/x.yaml") == ["BAI203"]
    assert reported(tmp_path / "a/b/c/x.yaml") == ["BAI203"]
    write(tmp_path / "a/bai.toml", '[lint]\nselect = ["BAI205"]\n')
    assert reported(tmp_path / "a/b/x.yaml") == ["BAI205"]


def test_without_settings_all_is_reported(tmp_path):
    assert reported(tmp_path / "x.yaml") == list(KNOWN[1:])
    assert SettingsFinder().of(tmp_path / "x.yaml").settings == Settings()


def test_patterns_are_relative_to_the_file_that_holds_them(tmp_path, monkeypatch):
    write(tmp_path / "bai.toml", '[lint]\nexclude = ["a/x.yaml"]\n')
    finder = SettingsFinder()
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    for file in (tmp_path / "a/x.yaml", Path("x.yaml"), Path("../a/x.yaml")):
        assert finder.of(file).excludes(file)
    assert not finder.of(Path("y.yaml")).excludes(Path("y.yaml"))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bai.toml", "[lint]\nfoo = 1\n", "bai.toml:2:1: lint.foo: there is no such key"),
        ("bai.toml", "lint = 1\n", "bai.toml:1:8: lint: expected a table"),
        (
            "bai.toml",
            "[contexts.select]\n[lint]\nselect = [\n  'BAI99'\n]",
            "bai.toml:3:1: lint.select: there is no code 'BAI99'",
        ),
        (
            "bai.toml",
            "[lint]\nselect = []\n\n[lint.per-file-ignores]\n'a.b/*' = []\n\"old/*\" = ['BAI99']",
            "bai.toml:6:1: lint.per-file-ignores.old/*: there is no code 'BAI99'",
        ),
        (
            "bai.toml",
            "[contexts.a]\nstate = '''\n[lint]\nselect = 1'''\n[lint]\n  select = 1 # select",
            "bai.toml:6:3: lint.select: expected a list",
        ),
        ("bai.toml", "[lint\n", "bai.toml:1:6: Expected ']'"),
        ("bai.toml", "[contexts.a]\nslots = \n", "bai.toml:2:9: Invalid value"),
        ("bai.toml", '[lint]\nselect = ["BAI2"', "bai.toml:2: Unclosed array, at the end of the"),
        ("bai.toml", "[lint]\n# \udcff\n", "bai.toml:2: this is no UTF-8"),
        ("bai.toml", "[lnt]\n", "bai.toml:1:2: unknown key 'lnt' (did you mean lint?)"),
        (
            "bai.toml",
            "slots = 2\n",
            "bai.toml:1:1: unknown key 'slots' (it belongs below [contexts.N",
        ),
        (
            "bai.toml",
            "[contexts]\n\n[linter]\n",
            "bai.toml:3:2: unknown key 'linter' (did you mean",
        ),
        ("bai.toml", "# [tool]\n[tool.bai.lint]\n", "toml:2:2: [tool...] is for pyproject.toml;"),
        ("pyproject.toml", '\n[lint]\nselect = ["BAI2"]\n', "toml:2:2: the table [lint] must be "),
        ("pyproject.toml", "[bai.lint]\n", "toml:1:6: the table [bai.lint] must be called [tool"),
        ("pyproject.toml", "[tool.bai.lnt]\n", "toml:1:11: unknown key 'lnt' in [tool.bai] (did "),
        ("pyproject.toml", "[tool.bai]\nselect = 1\n", "toml:2:1: unknown key 'select' in [tool.b"),
        ("pyproject.toml", "[tool.bai.lint]\nx\n", "pyproject.toml:2:2: Expected '='"),
        (
            "pyproject.toml",
            "[tool.bai]\nlint.ignore = 1\n",
            "toml:2:6: tool.bai.lint.ignore: expected",
        ),
    ],
)
def test_errors_name_the_file_and_the_key(tmp_path, name, text, message):
    write(tmp_path / name, text)
    with pytest.raises(ContextError) as refused:
        SettingsFinder().of(tmp_path / "a/x.yaml")
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        '[lint]\nselect = ["E5", "F"]\n',
        '[bai]\nname = "x"\n',
        '[project]\nname = "bai.x"\nversion = "BAI"\n[tool.lint]\nx = 1\n',
        "[tool.ba\n",
    ],
)
def test_tables_of_others_are_left_alone(tmp_path, text):
    write(tmp_path / "pyproject.toml", text)
    assert reported(tmp_path / "x.yaml") == list(KNOWN[1:])


def test_a_misspelt_table_is_a_wrong_setting_of_every_command(bai):
    (bai.folder / "bai.toml").write_text("[contexts]\n[lnt]\n")
    bai.write(bai.custom("j", "true"))
    for command in ("lint", "diff"):
        reported = bai.run(command, "experiment.yaml", code=2).stderr
        assert "bai.toml:2:2: unknown key 'lnt' (did you mean lint?)" in reported


def test_other_commands_take_a_bai_toml_with_settings(bai):
    bai.write(bai.custom("j", "true"))
    with (bai.folder / "bai.toml").open("a") as file:
        file.write('[lint]\nselect = ["BAI2"]\n')
    bai.run("diff", "experiment.yaml", code=1)
