"""Nothing that is typed makes the functions raise, at no cursor."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from bai.lsp import actions, declarations, definition, hover
from bai.lsp.completion import complete
from bai.lsp.diagnostics import findings
from bai.lsp.language import language_of, outline_at
from bai.lsp.text import Position, Range, split_lines
from bai.lsp.tolerant_parser import parse_outlines

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    ROOT / "examples/digits/experiment.yaml",
    ROOT / "tests/compiler/seeds/cifar10.job.json",
]
PIECES = [
    *"{}[],:#'\"|>&*!%-?$ \n\t\r\0",
    "\n  ",
    "\n- ",
    ": ",
    "---\n",
    "...\n",
    "apiVersion: bai/v1\n",
    "spec:",
    "jobs:",
    "clusters",
    "vmSize",
    '"properties"',
    "nodeCount",
    "mounts",
    "${mounts.",
    "$AZ_BATCHAI_",
    "\U0001f680",
    "\u2028",
    "\ud800",
    "<<",
]


def ask(text, position):
    """Ask everything that can be asked at a place."""
    lines = split_lines(text)
    outline = outline_at(parse_outlines(text), position)
    for each in complete(text, position):
        assert each.range.start.line == each.range.end.line == position.line
        assert each.range.start <= position <= each.range.end
        assert each.range.end.column <= len(lines[position.line])
    if language := language_of(outline):
        hover.hover(outline, language, lines[position.line], position)
        definition.definition(outline, language, position)
        list(declarations.symbols(outline))
    for key in outline.keys:
        assert key.range.start <= key.range.end
        assert key.range.end.column <= len(lines[key.range.end.line])


def test_every_beginning_of_an_example():
    for path in EXAMPLES:
        whole = path.read_text()
        for length in range(0, len(whole), 7):
            text = whole[:length]
            lines = split_lines(text)
            ask(text, Position(len(lines) - 1, len(lines[-1])))


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=25), st.data())
def test_pieces_in_any_order(pieces, data):
    text = "".join(pieces)
    lines = split_lines(text)
    line = data.draw(st.integers(0, len(lines) - 1))
    column = data.draw(st.integers(0, len(lines[line])))
    ask(text, Position(line, column))
    path = ROOT / "spec.yaml"
    found = findings(text, path)
    list(actions.actions(found, text, path, Range(Position(0, 0), Position(99, 0))))


def test_a_server_ends_with_its_client(bai):
    done = bai.run("lsp", input="garbage\r\n\r\n")
    assert done.stdout == ""
