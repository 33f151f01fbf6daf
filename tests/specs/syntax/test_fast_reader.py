"""What is read quickly is what the reader with places reads, without a complaint."""

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bai.specs.source.plain_scalar import resolved
from bai.specs.syntax.fast_reader import read_fast
from bai.specs.syntax.reader import read

BEGINNINGS = string.ascii_letters + string.digits + "$/<.~+-_%@&*!?|>'\"{[#`,:= "


def same(text):
    """Return whether a text was read quickly; if so, then to the same data."""
    quick = read_fast(text.encode())
    if quick is None:
        return False
    documents, findings = read(text, "file")
    assert findings == (), text
    assert quick == [resolved(document.data) for document in documents], text
    return True


@pytest.mark.parametrize("first", BEGINNINGS)
def test_scalars_by_their_first_character(first):
    for rest in ("", "1", "rue", "o", "ull", "alse", ".5", "x1F", "e3", " - a: b"):
        same(f"a: {first}{rest}\n")
        same(f"{first}{rest}: a\n")
        same(f"- [{first}{rest}]\n")


@pytest.mark.parametrize(
    "text",
    ["a: {b: [1, x, null]}\n", "a: x\n---\nb: 0o17\n", '{"a": [1.5, true, "\\n"]}', "? a\n: b\n"],
)
def test_what_is_plain_is_read_quickly(text):
    assert same(text)


@pytest.mark.parametrize(
    "text",
    [
        "1: a\n",
        "a: 1\na: 2\n",
        "a: &b c\n",
        "a: !!str 1\n",
        "<<: {a: 1}\n",
        "[a]: 1\n",
        "",
        "a: [\n",
        "\ufeff\ufeff\ufeff",
    ],
)
def test_the_rest_is_left_to_the_reader(text):
    assert read_fast(text.encode()) is None


@settings(max_examples=300, deadline=None)
@given(
    st.text(
        st.sampled_from("aT1~n:-, {}[]#&*!|>'\"\n\t\\\x00\x1f\x7f\ud7ff\ue000\u2028é"), max_size=40
    )
)
@example("\x0b")
def test_any_text(text):
    same(text)


@pytest.mark.parametrize("form", ["a: b{}c\n", "a: é{}c\n", '{{"a": "b{}c"}}', '{{"a": 1}}{}'])
def test_characters(form):
    for character in (*map(chr, range(256)), "\u2028", "\ufffe", "\ufeff", "é", "😀"):
        same(form.format(character))
