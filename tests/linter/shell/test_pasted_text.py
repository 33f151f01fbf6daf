"""What word processors make of dashes, quotes and spaces is found outside of real quotes."""

# ruff: noqa: RUF001
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.linter.shell.pasted_text import pasted_text

MENDED = [
    ("python train.py —epochs 3", "python train.py --epochs 3"),
    ("python train.py –e 3 −n 2", "python train.py -e 3 -n 2"),
    ("python train.py –-epochs=3", "python train.py --epochs=3"),
    ("python train.py -–epochs", "python train.py --epochs"),
    ("mpirun ‐np 2 hostname", "mpirun -np 2 hostname"),
    ("python t.py --name “first try” && make", 'python t.py --name "first try" && make'),
    ("python t.py --name=“$X” --by ‘a b’", "python t.py --name=\"$X\" --by 'a b'"),
    ("python t.py --lr –0.5 --by=−1", "python t.py --lr -0.5 --by=-1"),
    ("python t.py --batch–size 3 --lr 1e–4", "python t.py --batch-size 3 --lr 1e-4"),
    ("python t.py\u3000--lr\u20091", "python t.py --lr 1"),
    ("python t.py \u200b--lr 1\ufeff", "python t.py --lr 1"),
    ("cp a b ＆＆ python t.py ｜ tee log ；", "cp a b && python t.py | tee log ;"),
    ("python\u00a0train.py --epochs\u202f3", "python train.py --epochs 3"),
]
TOLD_ONLY = ["mpirun –np 2 hostname", "tar —xzf a.tgz", "python t.py —e 3"]
RIGHT = [
    "python train.py --name 'the “big” run' --note \"—epochs\"",
    "echo “hello” — it’s done",
    "python train.py --years 2017–2018 --title don’t",
    "python train.py — 3",
    "make # —all “of it”",
    "cat > notes <<E\n—epochs “first try”\nE\n",
    "python t.py --lang “",
    "python t.py --years=2017–2018 --range 1–2 --title a–b",
    "python t.py --text 你好；再见 --zwj \u200d",
    "python t.py --text '｜' '\u200b'",
    "python tràin.py --epochs 3",
]


def edited(text, found):
    for one in reversed(found):
        for start, end, new in reversed(one.edits):
            text = text[:start] + new + text[end:]
    return text


@pytest.mark.parametrize(("pasted", "typed"), MENDED)
def test_pasted_characters_are_mended(pasted, typed):
    assert edited(pasted, pasted_text(pasted, is_command=True)) == typed


@pytest.mark.parametrize("text", TOLD_ONLY)
def test_what_may_have_been_one_hyphen_or_two_is_reported_only(text):
    (found,) = pasted_text(text, is_command=True)
    assert not found.edits


@pytest.mark.parametrize("text", RIGHT)
def test_what_may_stand_there_is_left_alone(text):
    assert pasted_text(text, is_command=True) == []


def test_arguments_of_scripts_have_options_from_their_first_word_on():
    text = "—epochs 3 –name x"
    assert edited(text, pasted_text(text, is_command=False)) == "--epochs 3 --name x"


@given(st.text("a—–-“”‘’\u00a0 \"'\\=#;$(", max_size=30), st.booleans())
def test_any_text_gives_mistakes_within_it(text, is_command):
    for one in pasted_text(text, is_command=is_command):
        assert 0 <= one.start < one.end <= len(text)
        assert not text[one.start : one.end].isascii()
