"""Edits inside of scalars are read as they should be, or not made."""

import json

import yaml
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.fixes import apply_fixes
from bai.specs.findings import Span
from bai.specs.source.inner_edits import inner_fix
from bai.specs.syntax.reader import read

VALUES = st.text("ab \"'\\—“-é\n$", min_size=1, max_size=12)
NEW = st.sampled_from([" -y", "--", '"', "'", "-", "PT12H", "\\", '"a b"'])
STYLES = st.sampled_from(['"', "'", "|", ">", ""])


def in_yaml(value, style):
    if style == '"':
        return "k: " + json.dumps(value) + "\n"
    text = yaml.dump({"k": value}, default_style=style or None, allow_unicode=True, width=8)
    return text.replace('"k"', "k").replace("'k'", "k")


@given(VALUES, NEW, STYLES, st.data())
def test_an_edit_is_read_as_it_should_be(value, new, style, data):
    text = in_yaml(value, style) + "z: 1\n"
    (document,), complaints = read(text, "f.yaml")
    if complaints or document.data["k"] != value:
        return
    start = data.draw(st.integers(0, len(value)))
    end = data.draw(st.integers(start, len(value)))
    fix = inner_fix(document.span(("k",)), text, value, [(start, end, new)])
    if fix is None:
        return
    edited, count = apply_fixes(text, [fix])
    if count:
        (document,), _ = read(edited, "f.yaml")
        assert document.data == {"k": value[:start] + new + value[end:], "z": "1"}


@given(VALUES, NEW, st.data())
def test_any_place_in_json_can_be_edited(value, new, data):
    text = json.dumps({"k": value, "z": 1})
    (document,), _ = read(text, "f.json")
    start = data.draw(st.integers(0, len(value)))
    end = data.draw(st.integers(start, len(value)))
    fix = inner_fix(document.span(("k",)), text, value, [(start, end, new)])
    if "\n" in value:
        return
    edited, count = apply_fixes(text, [fix])
    assert count == 1
    assert json.loads(edited) == {"k": value[:start] + new + value[end:], "z": 1}


def test_a_reference_to_a_parameter_is_never_replaced():
    text = 'a: "x ${parameters.p} y"\n'
    span = Span("f", 1, 4, 1, 25)
    assert inner_fix(span, text, "x val y", [(2, 5, "new")], ("val",)) is None
    assert inner_fix(span, text, "x val y", [(0, 7, "new")], ("val",)) is None
    fix = inner_fix(span, text, "x val y", [(6, 7, "z")], ("val",))
    assert [(edit.span.column, edit.text) for edit in fix.edits] == [(23, "z")]
