"""The page for those who come from other tools: bai has its words, and imports as it shows."""

import re
from pathlib import Path

import pytest

from bai.compiler.importer.names import ImportNames
from bai.importing import import_
from bai.specs.models.experiment import Experiment
from bai.specs.models.shape import all_keys

PAGE = (Path(__file__).parents[2] / "docs/coming-from.md").read_text()
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", PAGE, re.MULTILINE)
WORDS = sorted({word for _, cell in ROWS for word in re.findall(r"`([^`]+)`", cell)})
COMMANDS = [word for word in WORDS if word.startswith("bai ")]
KEYS = [word for word in WORDS if not word.startswith("bai ")]


def test_there_are_words_to_look_up():
    assert len(COMMANDS) >= 20
    assert len(KEYS) >= 30


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_there_with_its_options(bai, command):
    verb, *rest = command.split()[1:]
    words = [verb, *rest[:1]] if verb in ("storage", "context") else [verb]
    shown = bai.run(*words, "--help").stdout
    assert shown.startswith(f"Usage: bai {' '.join(words)} [")
    assert {word for word in rest if word.startswith("-")} <= set(re.split(r"[\s,]+", shown))


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_one_of_the_language(key):
    path = key.partition(":")[0]
    assert set(path.split(".")) <= set(all_keys(Experiment))


def test_the_file_is_imported_as_shown(tmp_path):
    [job] = re.findall(r"^`train.json`:\n\n```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "train.json").write_text(job)
    found = import_(tmp_path / "train.json", names=ImportNames(experiment="digits"))
    assert found.findings == ()
    *_, shown = re.findall(r"^```yaml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found.text == shown
