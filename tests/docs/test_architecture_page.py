"""The page about the architecture names what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text()
ROOMS = ("api", "cli", "compiler", "linter", "lsp", "runtime", "schemas", "specs")
MODULES = {path.name for room in ROOMS for path in (ROOT / room).rglob("*.py")}
NAMED = sorted(set(re.findall(r"`([\w./-]+(?:/|\.py|\.json|\.toml|\.yaml|\.md))`", PAGE)))


# CODE stands for any, and the state folder is not in the repository.
THERE = [name for name in NAMED if "CODE" not in name and name != ".bai/"]


@pytest.mark.parametrize("name", THERE)
def test_a_file_or_folder_that_it_names_is_there(name):
    folders = [ROOT, *(ROOT / room for room in ROOMS)]
    assert name in MODULES or any((folder / name).exists() for folder in folders)


def test_every_room_is_in_its_table():
    assert set(re.findall(r"^\| `(\w+)/` \|", PAGE, re.MULTILINE)) == set(ROOMS)
