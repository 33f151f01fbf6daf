"""Long texts on several lines, which every reader joins to the same text."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from bai.compiler.emit.long_texts import fold_long_texts
from bai.compiler.emit.yaml_form import yaml_text
from bai.specs.source.plain_scalar import Plain
from bai.specs.syntax.reader import read

LONG = " ".join(f"--option-{number}=$VALUE_{number}" for number in range(12))
OTHER = LONG.replace("VALUE", "OTHER")


def text_of(data):
    return yaml_text(fold_long_texts(data))


def read_by_bai(text):
    [document], findings = read(text, "x.yaml")
    assert findings == ()
    return values(document.data)


def values(data):
    if isinstance(data, dict):
        return {str(key): values(value) for key, value in data.items()}
    if isinstance(data, list):
        return [values(value) for value in data]
    return data.value if isinstance(data, Plain) else data


def test_a_long_text_is_folded_between_words():
    text = text_of({"job": {"args": LONG}})
    assert text == (
        "job:\n"
        "  args: >-\n"
        "    --option-0=$VALUE_0 --option-1=$VALUE_1 --option-2=$VALUE_2 --option-3=$VALUE_3\n"
        "    --option-4=$VALUE_4 --option-5=$VALUE_5 --option-6=$VALUE_6 --option-7=$VALUE_7\n"
        "    --option-8=$VALUE_8 --option-9=$VALUE_9 --option-10=$VALUE_10 --option-11=$VALUE_11\n"
    )


def test_equal_long_texts_are_written_once():
    data = {"a": {"args": LONG, "b": LONG}, "c": [LONG, OTHER], "d": {"args": OTHER, "e": "x"}}
    text = text_of(data)
    assert text.count("--option-0=$VALUE_0") == 1
    assert "args: &args >-\n" in text
    assert "b: *args\n" in text
    assert "- *args\n" in text
    assert "- &c >-\n" in text
    assert "args: *c\n" in text
    assert read_by_bai(text) == yaml.safe_load(text) == data


def test_anchors_of_one_key_have_names_of_their_own():
    data = {"a": {"args": LONG}, "b": {"args": OTHER}, "c": {"args": LONG}, "d": {"args": OTHER}}
    text = text_of(data)
    assert ("&args " in text, "&args2 " in text) == (True, True)
    assert read_by_bai(text) == data


def test_what_folding_would_change_stays_on_its_line():
    for text in (f"{LONG}  two", f" {LONG}", f"{LONG}\tx", f"{LONG} ", "x" * 200, f"{LONG}\u00a0x"):
        assert ">" not in text_of({"a": text})
        assert read_by_bai(text_of({"a": text})) == {"a": text}
    assert text_of({"a": "short", "b": "short"}) == "a: short\nb: short\n"


words = st.text("abZ09-_=$#:&*!|>'\"{}[]%@`,?~é", min_size=1, max_size=30)
lines = st.lists(words, min_size=1, max_size=40).map(" ".join)


@given(st.dictionaries(st.text("abc", min_size=1), st.lists(lines, max_size=3) | lines, max_size=4))
def test_folded_texts_are_the_same_for_every_reader(data):
    text = text_of(data)
    assert read_by_bai(text) == yaml.safe_load(text) == data
