"""The functions behind the server. `▮` in a text is the cursor."""

from pathlib import Path

import pytest

from bai.linter.pages import catalogue
from bai.lsp import actions, text
from bai.lsp.completion import complete
from bai.lsp.definition import definition
from bai.lsp.diagnostics import findings, message, range_of
from bai.lsp.hover import hover
from bai.lsp.language import language_of, outline_at
from bai.lsp.text import Position, Range
from bai.lsp.tolerant_parser import parse_outlines
from bai.specs.findings import Finding, Fix, Severity, Span

HEAD = "apiVersion: bai/v1\nkind: Experiment\nmetadata: {name: e}\nspec:\n"
JOB = HEAD + "  jobs:\n    train:\n"
MOUNTED = """\
{"properties": {
  "mountVolumes": {"azureFileShares": [{"relativeMountPath": "d"}]},
  "stdOutErrPathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/d▮"
}}
"""


def cursor(marked):
    before, _, after = marked.partition("▮")
    line = before.count("\n")
    return before + after, Position(line, len(before.rpartition("\n")[2]))


def labels(marked):
    return [each.label for each in complete(*cursor(marked))]


def chosen(marked, label):
    """Return the text once a suggestion is taken."""
    whole, position = cursor(marked)
    (found,) = [each for each in complete(whole, position) if each.label == label]
    lines = text.split_lines(whole)
    line = lines[position.line]
    first, last = found.range.start.column, found.range.end.column
    assert found.range.start.line == found.range.end.line == position.line
    assert first <= position.column <= last
    lines[position.line] = line[:first] + found.text + line[last:]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("marked", "label", "result"),
    [
        ("▮", "apiVersion", "apiVersion: "),
        ("api▮", "apiVersion", "apiVersion: "),
        ("kind: Experiment\napiVersion: ▮", "bai/v1", "kind: Experiment\napiVersion: bai/v1"),
        (HEAD + "  ▮", "jobs", HEAD + "  jobs:"),
        (JOB + "      ▮", "nodeCount", JOB + "      nodeCount: "),
        (JOB + "      logs: x\n      ▮", "nodeCount", JOB + "      logs: x\n      nodeCount: "),
        (JOB + "      horovod: {▮", "script", JOB + "      horovod: {script: "),
        (JOB + "      horovod: {sc▮}", "script", JOB + "      horovod: {script: }"),
        (JOB + "      no▮: 2", "nodeCount", JOB + "      nodeCount: 2"),
        (JOB + "      node▮count: 2", "nodeCount", JOB + "      nodeCount: 2"),
        (JOB + "      priority:▮", "low", JOB + "      priority: low"),
        (JOB + "      priority: ▮", "low", JOB + "      priority: low"),
        (JOB + "      priority: h▮igh", "low", JOB + "      priority: low"),
        (JOB + '      priority: "h▮"', "low", JOB + '      priority: "low"'),
        (JOB + "      priority:\n        ▮", "low", JOB + "      priority:\n        low"),
        (JOB + "      logs: $A▮", "$AZ_BATCHAI_JOB_MOUNT_ROOT", None),
        (JOB + "      logs: ${A▮}", "${AZ_BATCHAI_JOB_MOUNT_ROOT}",
            JOB + "      logs: ${AZ_BATCHAI_JOB_MOUNT_ROOT}"),
        (JOB + "      mounts: {d: x}\n      logs: ${mounts.▮}/x", "${mounts.d}",
            JOB + "      mounts: {d: x}\n      logs: ${mounts.d}/x"),
        (JOB + "      mounts: {d: x}\n      preparation: |\n        ls ${▮\n", "${mounts.d}",
            JOB + "      mounts: {d: x}\n      preparation: |\n        ls ${mounts.d}\n"),
        ('{"properties": {"caffeSettings": {}, "no▮', "nodeCount",
            '{"properties": {"caffeSettings": {}, "nodeCount": '),
        ('{"properties": {"caffeSettings": {}, "no▮"', "nodeCount",
            '{"properties": {"caffeSettings": {}, "nodeCount": '),
        ('{"properties": {"scaleSettings": {}, "no▮": 1}}', "nodeSetup",
            '{"properties": {"scaleSettings": {}, "nodeSetup": 1}}'),
        ('{"properties": {"scaleSettings": {}, "vmPriority": ▮', "lowpriority",
            '{"properties": {"scaleSettings": {}, "vmPriority": "lowpriority"'),
        ('{"properties": {"scaleSettings": {}, "vmPriority": "▮"}}', "lowpriority",
            '{"properties": {"scaleSettings": {}, "vmPriority": "lowpriority"}}'),
        ("properties:\n  nodeCount: 2\n  mountVolumes:\n    azureFileShares:\n    - ▮",
            "azureFileUrl", None),
    ],
)  # fmt: skip
def test_what_is_chosen_is_written(marked, label, result):
    written = chosen(marked, label)
    if result is not None:
        assert written == result


@pytest.mark.parametrize(
    "marked",
    [
        "a: 1\n▮",
        JOB + "      # no▮",
        JOB + "      nodeCount: 2 # ▮",
        JOB + "      nodeCount: 2\n        ▮",
        JOB + "      nodeCount: ▮",
        JOB + "      preparation: |\n        no▮",
        JOB + "      horovod: {script: a}▮",
        '{"properties": {"nodeCount": 1}▮}',
    ],
)
def test_nothing_fits(marked):
    assert labels(marked) == []


def test_required_keys_come_first_and_given_ones_not_at_all():
    found = labels(JOB + "      ▮\n      logs: x\n      custom: {command: ls}\n")
    assert not {"logs", "custom", "horovod", "$schema"} & {*found}
    assert labels(JOB + "      ▮")[:2] == ["horovod", "pyTorch"]
    servers = HEAD + "  fileServers:\n    s:\n      ▮\n      vmSize: A\n"
    assert labels(servers)[:2] == ["disks", "user"]


def test_variables_fit_their_place():
    on_cluster = labels(HEAD + "  clusters:\n    c:\n      setupTask: {command: '$▮'}\n")
    assert on_cluster == ["$AZ_BATCHAI_MOUNT_ROOT"]
    found = labels(JOB + "      tensorFlow: {script: x, args: '$▮'}\n")
    assert "$AZ_BATCHAI_PS_HOSTS" in found
    assert "$AZ_BATCHAI_PYTORCH_BACKEND" not in found
    wire = '{"properties": {"nodeCount": 1, "inputDirectories": [{"id": "SET"}], '
    wire += '"pyTorchSettings": {"commandLineArgs": "$▮"}}}'
    found = labels(wire)
    assert {"$AZ_BATCHAI_INPUT_SET", "$AZ_BATCHAI_PYTORCH_BACKEND"} <= {*found}
    assert not any(label.startswith("${") for label in found)


def test_sizes_of_clusters_are_those_that_the_service_makes_clusters_of():
    cluster = labels(HEAD + "  clusters:\n    c:\n      vmSize: ▮")
    server = labels(HEAD + "  fileServers:\n    c:\n      vmSize: ▮")
    assert cluster == labels('{"properties": {"scaleSettings": {}, "vmSize": "▮"}}')
    assert {*cluster} < {*server}
    assert {"Standard_DS1_v2", "Standard_A0", "Standard_GS1"} <= {*server} - {*cluster}
    assert "Standard_NC6" in cluster


def test_clusters_of_the_spec():
    clusters = "  clusters:\n    a: {}\n    b: {}\n"
    assert labels(HEAD + clusters + "  jobs:\n    x:\n      cluster: ▮") == ["a", "b"]


@pytest.mark.parametrize(
    ("marked", "declared"),
    [
        (JOB + "      mounts: {d: x}\n      logs: ${moun▮ts.d}", "d"),
        (JOB + "      mounts: {d: x}\n      logs: $AZ_BATCHAI_JOB_MOUNT_ROOT/d▮", "d"),
        (JOB + "      inputs: {IN: x}\n      logs: $AZ_BATCHAI_INPUT_I▮N", "IN"),
        (JOB + "      outputs: {OUT: x}\n      logs: ${outputs.OUT▮}", "OUT"),
        (HEAD + "  clusters: {gpu: {mounts: {nfs: x}}}\n  jobs:\n    t:\n"
            "      logs: $AZ_BATCHAI_MOUNT_ROOT/nf▮s", "nfs"),
        (HEAD + "  fileServers: {nfs: {}}\n" + JOB.removeprefix(HEAD)
            + "      mounts: {a: 'fileServer://nf▮s/x'}", "nfs"),
        (MOUNTED, "d"),
        # Nothing is declared, or nothing is a reference.
        (JOB + "      logs: ${mounts.▮d}", None),
        (JOB + "      logs: $AZ_BATCHAI_JOB_TEM▮P", None),
        (JOB + "      logs: pl▮ain", None),
        (JOB + "      lo▮gs: plain", None),
    ],
)  # fmt: skip
def test_definition(marked, declared):
    whole, position = cursor(marked)
    outline = outline_at(parse_outlines(whole), position)
    found = definition(outline, language_of(outline), position)
    if declared is None:
        assert found is None
    else:
        line = text.split_lines(whole)[found.start.line]
        assert line[found.start.column : found.end.column] == declared
        assert found.start < position


def hovered(marked):
    whole, position = cursor(marked)
    outline = outline_at(parse_outlines(whole), position)
    line = text.split_lines(whole)[position.line]
    found = hover(outline, language_of(outline), line, position)
    return found.text if found else None


def test_hover_on_references():
    mounts = JOB + "      mounts: {d: x}\n"
    assert hovered(mounts + "      logs: ${mounts.▮d}").startswith("`$AZ_BATCHAI_JOB_MOUNT_ROOT/d`")
    assert hovered(mounts + "      logs: ${mounts.▮e}").startswith("`$AZ_BATCHAI_MOUNT_ROOT/e`")
    assert hovered(mounts + "      logs: ${outputs.▮M}").startswith("`$AZ_BATCHAI_OUTPUT_M`")
    assert hovered(mounts + "      logs: $AZ_BATCHAI_NOTHIN▮G") is None


PARAMETERS = (
    HEAD
    + """\
  parameters:
    lr: 0.1
    nodes: {type: integer, description: How many.}
  jobs:
    train:
"""
)


def test_parameters_complete_everywhere_but_among_themselves():
    both = {"${parameters.lr}", "${parameters.nodes}"}
    for line in ("nodeCount: ${▮", "custom: {command: 'ls ${par▮'}", "mounts: {d: 'x:${▮"):
        assert both <= set(labels(f"{PARAMETERS}      {line}"))
    assert both <= set(labels(PARAMETERS.replace("name: e", 'name: "${▮"')))
    assert both.isdisjoint(labels(PARAMETERS.replace("0.1", "${▮")))


def test_a_reference_to_a_parameter_leads_to_it():
    marked = PARAMETERS + "      custom: {command: 'ls ${parameters.no▮des}'}\n"
    assert hovered(marked) == "**nodes**: parameter\n\nHow many.\n\nIt has no default."
    assert hovered(marked.replace("no▮des", "l▮r")) == "**lr**: parameter\n\nBy default `0.1`."
    assert hovered(marked.replace("no▮des", "o▮r")) is None
    whole, position = cursor(marked)
    outline = outline_at(parse_outlines(whole), position)
    assert definition(outline, language_of(outline), position) == Range.on_line(6, 4, 9)


def test_hover_says_what_is_required():
    toolkit = ", required unless another key takes its place"
    assert f"**horovod**: mapping{toolkit}\n" in hovered(JOB + "      horo▮vod: {script: x}")
    assert ", required\n" in hovered(JOB + "      horovod: {scri▮pt: x}")
    assert "required" not in hovered(JOB + "      time▮Limit: 1h").splitlines()[0]
    wire = '{"properties": {"nodeCount": 1, "horovod▮Settings": {}}}'
    assert f"**horovodSettings**: mapping{toolkit}\n" in hovered(wire)
    assert ", required\n" in hovered(wire.replace("▮", "").replace("nodeC", "nodeC▮"))


def test_hover_on_values_describes_their_key():
    assert "gets its stdout and stderr" in hovered(JOB + "      logs: x▮y")
    assert hovered(JOB + "      unknown: x▮y") is None
    assert hovered(JOB + "      # nodeCo▮unt") is None


def test_hover_on_a_code_in_a_comment(monkeypatch):
    class Page:
        code, title, why = "BAI203", "a value of the wrong kind", "Because."

    monkeypatch.setattr(catalogue, "catalogue", lambda: {"BAI203": (Page, Page, None)})
    marked = JOB + "      nodeCount: two # bai: ignore[BAI2▮03]"
    assert hovered(marked) == "**BAI203**: a value of the wrong kind\n\nBecause."
    assert hovered(marked.replace("BAI2", "BAI1")) is None


FILE = Path("/folder/spec.yaml")


def finding(span, hint=None, fix=None):
    return Finding("BAI201", Severity.ERROR, "wrong", span, hint, fix)


@pytest.mark.parametrize(
    ("line", "part", "hint", "expected"),
    [
        ("nodecount: 2", "nodecount", "did you mean nodeCount?", ["nodeCount: 2"]),
        ('{"nodecount": 2}', '"nodecount"', "did you mean nodeCount?", ['{"nodeCount": 2}']),
        ("a: ${mounts.dta}", "${mounts.dta}", "did you mean data? Or not", ["a: ${mounts.data}"]),
        ("a: ${mount.d}", "${mount.d}", "did you mean ${mounts.d}?", ["a: ${mounts.d}"]),
        ("scrpt: x", "scrpt", "did you mean script or scripts?", ["script: x", "scripts: x"]),
        ("zzz: 2", "zzz", "did you mean nodeCount?", []),
        ("zzz: 2", "zzz", "valid here: nodeCount", []),
        ("zzz: 2", "zzz", None, []),
    ],
)
def test_what_was_meant_can_be_written(line, part, hint, expected):
    column = line.index(part) + 1
    found = finding(Span(str(FILE), 1, column, 1, column + len(part)), hint)
    results = []
    for action in actions.actions([found], line, FILE, Range(Position(0, 0), Position(0, 99))):
        assert not action.is_safe
        (edit,) = action.edits
        results.append(line[: edit.range.start.column] + edit.text + line[edit.range.end.column :])
    assert results == expected


def test_fixes_of_findings():
    span = Span(str(FILE), 2, 3, 2, 6)
    found = finding(span, "write it so", Fix.replace(span, "new"))
    whole = "a:\n  old: 1\n"
    (action,) = actions.actions([found], whole, FILE, Range(Position(1, 3), Position(1, 3)))
    assert action.is_safe
    assert action.title == "Fix BAI201: write it so"
    (edit,) = action.edits
    assert edit == actions.Edit(Range(Position(1, 2), Position(1, 5)), "new")
    elsewhere = Range(Position(0, 0), Position(0, 1))
    assert list(actions.actions([found], whole, FILE, elsewhere)) == []


def test_ranges_of_findings():
    assert range_of(None, "", FILE) == Range(Position(0, 0), Position(0, 0))
    other = Span("/elsewhere.py", 7, 7, 7, 9)
    assert range_of(other, "", FILE) == Range(Position(0, 0), Position(0, 0))
    span = Span(str(FILE), 1, 2, 2, 3)
    assert range_of(span, "\ufeffab\ncd", FILE) == Range(Position(0, 2), Position(1, 2))
    assert message(finding(None, "do it")) == "wrong (do it)"


def test_the_context_fills_in_what_a_spec_leaves_unsaid(tmp_path):
    whole = JOB + "      nodeCount: 1\n      mounts: {r: azureFile:r}\n      logs: ${mounts.r}\n"
    whole += "      custom: {command: ls}\n"
    whole = whole.replace("  jobs:", "  clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}\n  jobs:")
    assert findings(whole, tmp_path / "missing" / "spec.yaml") == ()
    (tmp_path / "bai.toml").write_text("broken")
    assert findings(whole, tmp_path / "spec.yaml") == ()


@pytest.mark.parametrize(
    ("encoding", "units"), [("utf-8", [0, 1, 3, 7, 8]), ("utf-16", [0, 1, 2, 4, 5])]
)
def test_units(encoding, units):
    line = "aé\U0001f680b"
    assert [text.to_units(line, column, encoding) for column in range(5)] == units
    assert [text.from_units(line, unit, encoding) for unit in units] == [0, 1, 2, 3, 4]
    # In the middle of a character, and behind the end.
    assert text.from_units(line, units[3] - 1, encoding) == 2
    assert text.from_units(line, 99, encoding) == 4
    assert text.to_units(line, 99, encoding) == units[4]


def test_positions_outside_of_the_text_are_moved_inside():
    lines = text.split_lines("ab\r\ncd\re\u2028f")
    assert lines == ["ab", "cd", "e\u2028f"]
    assert text.clamp(lines, 9, 9, "utf-16") == Position(2, 3)
    assert text.clamp(lines, 0, 9, "utf-16") == Position(0, 2)
    assert text.clamp(lines, -1, 9, "utf-16") == Position(0, 0)
