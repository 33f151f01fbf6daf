"""Ranges of a value lead back to the source, in every style in which it can be written."""

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bai.specs.source.places import inner_span, narrow
from bai.specs.source.source_map import readings
from bai.specs.syntax.reader import read


def excerpt(text, span):
    lines = text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    first, *middle, last = lines[span.line - 1 : span.end_line]
    return "\n".join([first[span.column - 1 :], *middle, last[: span.end_column - 1]])


def shown(text, part, value=None):
    """Return what the source shows of a part of the value at `a`."""
    (document,), findings = read(text, "f")
    assert findings == ()
    value = document.data["a"] if value is None else value
    start = value.index(part)
    span = inner_span(document.span(("a",)), document.text, value, start, start + len(part))
    return excerpt(document.text, span)


@pytest.mark.parametrize(
    "text",
    [
        "a: one bad two\n",
        "a: one bad bad2\n",
        "a: one\n   bad two\n",
        "a:\n  one\n\n  bad\n  two\nb: 1\n",
        "a: 'it''s bad'\n",
        "a: 'it''s\n  bad'\n",
        'a: "\\tone \\u00e9 \\x41\\U0001f4a9 bad"\n',
        'a: "one \\\n  bad"\n',
        'a: "one\n\n  bad"\n',
        "a: |\n  one\n  bad two\n",
        "a: |-\n  one\n\n    bad\n",
        "a: |2+\n    one\n   bad\n\n\nb: 1\n",
        "a: >\n  one\n  bad\n\n  two\n",
        "a: >-\n  one\n    bad\n  two\n\n\n  three\n",
        "a: &x !!str one bad\n",
        "a: &x |  # why\n  one\n  bad\n",
        "a: |\r\n  one\r\n  bad two\r\n",
        "a: one\r\n  bad\r\n",
        "{a: [b], 'a': 'x'}\n".replace("[b], 'a': 'x'", "one bad"),
        '{"a": "one\\n\\"bad\\" \\ud83d\\udca9"}',
        '{"a": "\\ud83d\\udca9 bad"}',
        'ä: 1\n"a": "ä\\nbad"\n',
    ],
)
def test_a_part_is_found_in_every_style(text):
    assert shown(text, "bad") == "bad"


def test_the_second_of_two_is_not_the_first():
    text = 'a: "bad \\"bad"\n'
    (document,), _ = read(text, "f")
    span = inner_span(document.span(("a",)), text, 'bad "bad', 5, 8)
    assert (span.line, span.column, span.end_column) == (1, 11, 14)


def test_a_part_that_is_written_with_escapes_covers_them():
    assert shown('{"a": "x \\"b\\u0061d\\" y"}', '"bad"') == '\\"b\\u0061d\\"'
    assert shown("a: one\n   bad two\n", "one bad") == "one\n   bad"


def test_references_are_looked_through():
    text = 'a: "rm ${mounts.data}/x $Y ${mounts.gone}"\n'
    value = "rm $AZ_BATCHAI_JOB_MOUNT_ROOT/data/x $Y ${mounts.gone}"
    assert shown(text, "$Y", value) == "$Y"
    assert shown(text, "data/x", value) == "${mounts.data}/x"
    assert shown(text, "$AZ_BATCHAI_JOB_MOUNT_ROOT", value) == "${mounts.data}"
    text = text.replace("mounts.data", "job.mounts.data")
    assert shown(text, "data/x", value) == "${job.mounts.data}/x"


def test_a_value_from_elsewhere_is_its_whole_place():
    assert shown("a: other\n", "bad", "one bad") == "other"


def test_a_very_long_value_is_its_whole_place():
    assert len(shown(f"a: {'x' * 300_000} bad\n", "bad")) == 300_004


def test_only_line_ends_end_lines():
    text = '{"x": "\x85\u2028", "a": "one bad"}'
    (document,), _ = read(text, "f")
    assert excerpt(text, narrow(document.span(("a",)), text, "bad")) == "bad"


YAML_TEXT = st.text(
    st.sampled_from("ab'\"\\ \t#:-\n\xe9\N{PILE OF POO}\x85$|>{},[]&*!%@`?"),
    min_size=1,
    max_size=30,
)


@given(YAML_TEXT, st.sampled_from(["|", ">", '"', "'", None]), st.booleans(), st.data())
def test_whatever_yaml_writes_leads_back(value, style, in_json, data):
    width = data.draw(st.integers(5, 80))
    if in_json:
        text = json.dumps({"a": value}, ensure_ascii=data.draw(st.booleans()))
    else:
        text = yaml.dump({"a": value}, default_style=style, allow_unicode=True, width=width)
    documents, findings = read(text, "f")
    if findings or documents[0].data.get("a") != value:
        return  # a character that YAML can't hold
    start = data.draw(st.integers(0, len(value) - 1))
    end = data.draw(st.integers(start + 1, len(value)))
    (document,) = documents
    whole = document.span(("a",))
    span = inner_span(whole, document.text, value, start, end)
    part = value[start:end]
    assert (span.line, span.column) <= (span.end_line, span.end_column)
    source = excerpt(document.text, whole)
    if value.strip():
        assert any(written == value for written, _ in readings(source, 0, len(source)))
    if part.isalnum() and part.isascii() and span.line == span.end_line:
        assert excerpt(document.text, span) == part
