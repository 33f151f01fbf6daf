"""What bai writes as YAML, other readers read as the same data."""

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bai.compiler.emit.yaml_form import yaml_text
from bai.specs.source.plain_scalar import Plain
from bai.specs.syntax.reader import read

WORDS = [
    *("no", "No", "yes", "on", "OFF", "y", "N", "true", "null", "~", "", "=", "<<", "---", "..."),
    *("0777", "12:30:00", "1:2", "1e3", "1E3", ".5", "0o17", "0x1F", "0b11", "1_000", "08", "+1"),
    *("2018-05-01", "2018-05-01T10:00:00Z", ".inf", ".nan", "-", "?", ":", "a: b", "#x", "a #b"),
    *("two\nlines\n", "two\nlines", " padded\nlines", "ends \nso", "\n", "a\n\n", "a\n b", "\t"),
    *("ünï", "\U0001f600", "\x85", "\u2028", "\ufeff", "\x7f", "%", "@", "`", "!t", "&a", "*a"),
]
texts = st.sampled_from(WORDS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(texts | st.text("k: ", min_size=129), inner)
    ),
    max_leaves=10,
)


@settings(deadline=None, max_examples=300)
@example(WORDS)
@example({word: word for word in WORDS})
@given(st.lists(values) | st.dictionaries(texts, values))
def test_yaml_1_1_reads_the_same(value):
    assert yaml.safe_load(yaml_text(value)) == value


@settings(deadline=None, max_examples=300)
@example([word for word in WORDS if word.isprintable()])
@given(st.lists(st.text(st.characters(exclude_categories=["C"])) | texts, min_size=1))
def test_the_own_reader_reads_the_same_and_no_plain_scalar_is_anything_but_text(value):
    documents, findings = read(yaml_text(value), "x.yaml")
    assert findings == ()
    assert documents[0].data == value
    for text in documents[0].data:
        assert not isinstance(text, Plain) or text.value == text


@pytest.mark.parametrize("word", ["no", "yes", "on", "0777", "12:30:00", "1e3", "~", "null", "y"])
def test_ambiguous_words_stand_in_quotes(word):
    assert yaml_text({"a": word}) == f"a: '{word}'\n"


@pytest.mark.parametrize("word", ["1e-3", "1.10", "0x10", "0o17", "-.5", "True", "12"])
def test_a_plain_scalar_keeps_its_text(word):
    assert yaml_text({"a": Plain(word)}) == f"a: {word}\n"


def test_a_plain_scalar_that_is_a_text_is_written_as_any_text():
    assert yaml_text({"a": Plain("no"), "b": Plain("yes or no")}) == "a: 'no'\nb: yes or no\n"


def test_the_rest_stands_without():
    data = {"command": "python train.py --epochs 10", "count": 2, "list": ["a b"], "none": None}
    assert yaml_text(data) == (
        "command: python train.py --epochs 10\ncount: 2\nlist:\n- a b\nnone: null\n"
    )


def test_lines_are_not_folded_and_line_breaks_are_kept():
    long = "word " * 100 + "end"
    assert yaml_text({"a": long}) == f"a: {long}\n"
    assert yaml_text({"a": "one\ntwo\n"}) == "a: |\n  one\n  two\n"
