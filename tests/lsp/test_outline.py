"""The forgiving reader: of one mind with the strict one on correct files, useful on broken ones."""

from pathlib import Path

import pytest

from bai.lsp.outline import Spot
from bai.lsp.tolerant_parser import parse_outlines
from bai.specs.syntax.reader import read

ROOT = Path(__file__).parents[2]
FILES = [
    path
    for pattern in (
        "examples/**/*.yaml",
        "examples/**/*.json",
        "tests/compiler/golden/*/spec.yaml",
        "tests/compiler/seeds/*.json",
        "tests/schemas/corpus/*/accepted/*",
        "tests/specs/broken/*.yaml",
    )
    for path in sorted(ROOT.glob(pattern))
    if not read(path.read_bytes(), "file")[1]
]


def spot(range_):
    return range_.start.line + 1, range_.start.column + 1, range_.end.column + 1


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_it_agrees_with_the_reader_on_correct_files(path):
    text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    documents, _ = read(text, "file")
    outlines = [each for each in parse_outlines(text) if each.keys or each.scalars]
    documents = [each for each in documents if each.data]
    assert len(outlines) == len(documents)
    for outline, document in zip(outlines, documents, strict=True):
        # An alias has its keys in two places of the data, and one of the text.
        where = {(s.line, s.column, s.end_column): p[-1] for p, s in document.keys.items()}
        found = {spot(key.range): key.path[-1] for key in outline.keys if key.path[-1] != "<<"}
        assert found == where
        for key in outline.keys:
            if key.path[-1] != "<<":
                assert key.path in document.keys


def end(text):
    outline = parse_outlines(text)[-1]
    return outline.place.spot, outline.place.path, outline.place.start.column


JOB = "spec:\n  jobs:\n    train:\n      nodeCount: 2\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", (Spot.OPEN, (), 0)),
        ("sp", (Spot.OPEN, (), 0)),
        ("spec:", (Spot.VALUE, ("spec",), 5)),
        ("spec: ", (Spot.VALUE, ("spec",), 6)),
        ("spec:\n  ", (Spot.OPEN, ("spec",), 2)),
        ("spec:\n  jo", (Spot.OPEN, ("spec",), 2)),
        (JOB + "      ", (Spot.OPEN, ("spec", "jobs", "train"), 6)),
        (JOB + "      lo", (Spot.OPEN, ("spec", "jobs", "train"), 6)),
        (JOB + "        ", (Spot.NOTHING, ("spec", "jobs", "train", "nodeCount"), 8)),
        (JOB + "    ", (Spot.OPEN, ("spec", "jobs"), 4)),
        (JOB + "      horovod:\n        ", (Spot.OPEN, ("spec", "jobs", "train", "horovod"), 8)),
        (JOB + "      logs: $", (Spot.VALUE, ("spec", "jobs", "train", "logs"), 12)),
        (JOB + "      logs: '$", (Spot.TEXT, ("spec", "jobs", "train", "logs"), 13)),
        (JOB + "      logs: x # ", (Spot.NOTHING, ("spec", "jobs", "train", "logs"), 12)),
        (JOB + "      # ", (Spot.NOTHING, (), 8)),
        (
            JOB + "      preparation: |\n        pip $",
            (Spot.TEXT, ("spec", "jobs", "train", "preparation"), 8),
        ),
        (JOB + "      horovod: {", (Spot.KEY, ("spec", "jobs", "train", "horovod"), 16)),
        (JOB + "      horovod: {scr", (Spot.KEY, ("spec", "jobs", "train", "horovod"), 16)),
        (
            JOB + "      horovod: {script: ",
            (Spot.VALUE, ("spec", "jobs", "train", "horovod", "script"), 24),
        ),
        (JOB + "      horovod: {script: a, ", (Spot.KEY, ("spec", "jobs", "train", "horovod"), 27)),
        (JOB + "      horovod: {script: a}", (Spot.NOTHING, (), 26)),
        # A bracket without an end takes nothing away from what follows it.
        ("a:\n  b: {c\n  d: ", (Spot.VALUE, ("a", "d"), 5)),
        ('a:\n  b: "c\n  d: ', (Spot.VALUE, ("a", "d"), 5)),
        ('{"properties": {"no', (Spot.KEY, ("properties",), 17)),
        ('{"properties": {"nodeCount": ', (Spot.VALUE, ("properties", "nodeCount"), 29)),
        ('{"properties": {"a": [{"id": "X"}, {"', (Spot.KEY, ("properties", "a", 1), 37)),
        ("a:\n- b: 1\n- ", (Spot.OPEN, ("a", 1), 2)),
        ("a:\n- b: 1\n  c", (Spot.OPEN, ("a", 0), 2)),
        ("a:\n- b: 1\nc", (Spot.OPEN, (), 0)),
        ("a: &x ", (Spot.VALUE, ("a",), 6)),
        ("a:\n  &x ", (Spot.VALUE, ("a",), 5)),
        ("a:\n  - !t &x ", (Spot.VALUE, ("a", 0), 10)),
        # What is nested too deeply ends where it ends.
        (
            "a:\n" + "".join(f"{' ' * n}- k{n}:\n" for n in range(1, 200)) + "b: ",
            (Spot.VALUE, ("b",), 3),
        ),
        ("a: 1\n---\nb: ", (Spot.VALUE, ("b",), 3)),
    ],
)
def test_the_place_at_the_end(text, expected):
    assert end(text) == expected
