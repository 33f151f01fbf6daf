"""Completion, definitions and symbols in files with several kinds of documents."""

import pytest

from bai.lsp.completion import complete
from bai.lsp.declarations import symbols
from bai.lsp.definition import definition
from bai.lsp.hover import hover
from bai.lsp.language import language_of, outline_at
from bai.lsp.text import Position
from bai.lsp.tolerant_parser import parse_outlines

TEXT = """\
apiVersion: bai/v1
kind: Cluster
metadata: {name: pair}
spec:
  vmSize: STANDARD_D2_V2
  mounts:
    data: azureFile:datasets
  setupTask:
    command: ls ${mounts.data}
---
apiVersion: bai/v1
kind: Experiment
metadata: {name: digits}
spec:
  jobs:
    train:
      cluster: pair
      logs: ${mounts.data}/logs
---
apiVersion: bai/v1
kind: Workspace
metadata: {name: vision}
---
apiVersion: bai/v1
kind: FileServer
metadata:
  name: nfs
"""


def at(text, part, number=0):
    """Return the text without a part, and the position where it stood."""
    start = -1
    for _ in range(number + 1):
        start = text.index(part, start + 1)
    line = text.count("\n", 0, start)
    return Position(line, start - text.rfind("\n", 0, start) - 1)


def labels(text, position):
    return [each.label for each in complete(text, position)]


def definition_at(position):
    outline = outline_at(parse_outlines(TEXT), position)
    found = definition(outline, language_of(outline), position)
    return found and (found.start.line, found.start.column)


@pytest.mark.parametrize(
    ("text", "some", "none"),
    [
        ("spec:\n  ", {"vmSize", "scale", "storageAccount"}, {"jobs", "clusters"}),
        ("metadata:\n  ", {"name", "workspace"}, {"tags"}),
    ],
)
def test_keys_are_those_of_the_kind(text, some, none):
    text = f"apiVersion: bai/v1\nkind: Cluster\n{text}"
    lines = text.split("\n")
    found = set(labels(text, Position(len(lines) - 1, len(lines[-1]))))
    assert found >= some
    assert found.isdisjoint(none)


def test_all_kinds_are_offered():
    text = "apiVersion: bai/v1\nkind: "
    assert labels(text, Position(1, 6)) == ["Experiment", "Cluster", "FileServer", "Workspace"]


def test_a_workspace_has_tags_and_no_spec():
    text = "apiVersion: bai/v1\nkind: Workspace\nmetadata: {name: w}\n"
    assert labels(text, Position(3, 0)) == []


def test_clusters_of_all_documents_are_offered():
    text = TEXT.replace("cluster: pair", "cluster: ")
    assert "pair" in labels(text, Position(16, 15))


def test_mounts_of_a_cluster_in_another_document_are_offered():
    text = TEXT.replace("${mounts.data}/logs", "${m")
    assert "${mounts.data}" in labels(text, Position(17, 15))


SCOPES = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: digits}
spec:
  clusters:
    c:
      mounts:
        data: azureFile:a
        old: azureFile:o
  jobs:
    train:
      mounts:
        data: azureFile:b
      logs: ${cluster.mounts.data}
      preparation: ls ${job.mounts.data}
"""


def test_mounts_are_offered_by_whose_they_are():
    text = SCOPES.replace("${cluster.mounts.data}", "${")
    line = text.split("\n")[13]
    found = [each for each in labels(text, Position(13, len(line))) if "mounts" in each]
    assert found == [
        "${mounts.data}",
        "${mounts.old}",
        "${job.mounts.data}",
        "${cluster.mounts.data}",
        "${cluster.mounts.old}",
    ]


@pytest.mark.parametrize(
    ("part", "line", "root"),
    [("cluster.mounts", 7, "$AZ_BATCHAI_MOUNT_ROOT"), ("job.m", 12, "$AZ_BATCHAI_JOB_MOUNT_ROOT")],
)
def test_a_mount_with_a_scope_is_found_where_it_is(part, line, root):
    position = at(SCOPES, part)
    outline = outline_at(parse_outlines(SCOPES), position)
    language = language_of(outline)
    assert definition(outline, language, position).start.line == line
    found = hover(outline, language, SCOPES.split("\n")[position.line], position)
    assert f"{root}/data" in found.text


@pytest.mark.parametrize(
    ("position", "found"),
    [
        (at(TEXT, "pair", 1), (2, 17)),
        (at(TEXT, "mounts.data"), (6, 4)),
        (at(TEXT, "mounts.data", 1), (6, 4)),
        (at(TEXT, "STANDARD"), None),
    ],
)
def test_definitions(position, found):
    assert definition_at(position) == found


def test_a_mount_of_a_cluster_is_below_its_root():
    position = at(TEXT, "mounts.data")
    outline = outline_at(parse_outlines(TEXT), position)
    language = language_of(outline)
    found = hover(outline, language, TEXT.split("\n")[position.line], position)
    assert "$AZ_BATCHAI_MOUNT_ROOT/data" in found.text


def test_symbols_are_what_the_documents_declare():
    found = [
        (each.kind, each.name) for each in (s for o in parse_outlines(TEXT) for s in symbols(o))
    ]
    assert found == [
        ("cluster", "pair"),
        ("job", "train"),
        ("workspace", "vision"),
        ("file server", "nfs"),
    ]
