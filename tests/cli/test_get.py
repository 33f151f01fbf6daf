"""bai get with long lists: what a terminal shows, and that everything else is complete."""

import json
import re
import subprocess
import sys

import pytest
from terminal import Terminal

from bai.compiler.resources.ids import Kind, ResourceId
from bai.runtime.provider.store import Store

LIMIT = 1_000
WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")


@pytest.fixture
def fill(bai):
    """Return a function that makes experiments e1, e2 and so on, and returns their names."""

    def make(count):
        names = [f"e{number}" for number in range(1, count + 1)]
        store = Store(bai.folder / ".bai")
        store.put(WORKSPACE, {"location": "x"})
        ids = [WORKSPACE.sibling(Kind.EXPERIMENT, name) for name in names]
        with store.transaction() as connection:
            connection.executemany(
                "INSERT INTO resources (id, kind, name, parent, wire, created, updated) "
                "VALUES (?1, ?2, ?3, ?4, '{}', ?5, ?5)",
                [
                    (str(id), id.kind, id.name, str(WORKSPACE), f"{2000 + n}-01-01T00:00:00+00:00")
                    for n, id in enumerate(ids)
                ],
            )
        store.close()
        return names

    return make


def shown(text):
    """Return the names in a table, and the lines about it."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    names = [line.split()[0] for line in lines if re.match(r"e\d", line)]
    return names, lines[1 + len(names) :]


def on_terminal(bai, *arguments):
    terminal = Terminal(bai, *arguments)
    assert terminal.end() == 0
    return shown(terminal.text)


def test_a_terminal_shows_the_newest_and_says_what_it_leaves_out(bai, fill):
    names = fill(LIMIT + 3)
    found, below = on_terminal(bai, "get", "experiments")
    assert found == names[3:]
    assert below == ["the newest 1,000 of 1,003 experiments; --all shows the rest"]
    assert on_terminal(bai, "get", "experiments", "--all") == (names, [])
    assert on_terminal(bai, "get", "experiment", "e1") == (["e1"], [])


def test_a_terminal_that_shows_all_does_not_say_so(bai, fill):
    names = fill(LIMIT)
    assert on_terminal(bai, "get", "experiments") == (names, [])


def test_what_programs_read_is_complete(bai, fill):
    names = fill(LIMIT + 3)
    assert shown(bai.run("get", "experiments").stdout) == (names, [])
    listed = bai.run("get", "experiments", "-o", "name").stdout.split()
    assert listed == [f"experiment/{name}" for name in names]
    text = bai.run("get", "experiments", "-o", "json").stdout
    assert [each["name"] for each in json.loads(text)] == names
    terminal = Terminal(bai, "get", "experiments", "-o", "json")
    assert terminal.end() == 0
    assert json.loads(terminal.text) == json.loads(text)


def test_a_list_as_yaml_is_one_document(bai, fill):
    from ruamel.yaml import YAML

    names = fill(3)
    read = YAML(typ="safe", pure=True).load(bai.run("get", "experiments", "-o", "yaml").stdout)
    assert read == json.loads(bai.run("get", "experiments", "-o", "json").stdout)
    assert [each["name"] for each in read] == names
    assert bai.run("get", "clusters", "-o", "yaml").stdout == "[]\n"


def test_lists_need_no_models(bai, fill):
    fill(1)
    code = (
        "import sys; from bai.cli.main import main; sys.argv = ['bai', 'get', 'experiments'];"
        "main(); sys.exit('pydantic' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=bai.folder, check=True)
