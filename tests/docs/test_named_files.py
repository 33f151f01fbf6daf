"""Files, folders and code that the pages name are there, and so is what they link to."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir()}
ANY = {"CASE", "CODE"}
"""Names that stand for any."""


RULES = [path.read_text() for path in ROOT.glob("linter/rules/*/*.py")]


def named(text):
    """Return the files and folders of the repository that a page names outside its examples."""
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found = re.findall(r"`([^`\s]+/[^`\s]*)`", plain)
    return [path for path in found if path.partition("/")[0] in FOLDERS]


def test_pages_name_files():
    assert {"compiler/passes/", "specs/codes.py"} <= {
        path for page in PAGES for path in named(page.read_text())
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_are_there(page):
    paths = [path for path in named(page.read_text()) if not ANY & set(re.split(r"[/.]", path))]
    assert [path for path in paths if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page):
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_rules_that_a_page_shows_are_in_the_code(name):
    blocks = re.findall(
        r"^```python\n(.*?)^```", (ROOT / name).read_text(), re.DOTALL | re.MULTILINE
    )
    shown = [block for block in blocks if "@rule(" in block or block.startswith("shell_rule")]
    assert shown
    for block in shown:
        assert any(block.strip() in text for text in RULES), block
