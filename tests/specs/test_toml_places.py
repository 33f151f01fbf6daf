"""Positions in TOML files, against the standard library's parser."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.specs.toml_places import places

KEYS = st.sampled_from(
    ["a", "b-c", '"d.e"', "'f'", r'"\u0067\""', "1", "''", "h . i", "'x' .\"y\""]
)
SCALARS = st.sampled_from(
    [
        "1",
        "0xf",
        "true",
        "1979-05-27 07:32:00",
        "inf",
        '"a # b = [c]"',
        '"\\"]\\\\"',
        "'\\'",
        '"""\n[x]\ny = "1" \\""""""',
        "'''\n'x' = ''''",
        '""',
        "''''''",
    ]
)
GAPS = st.sampled_from(["", " ", "\n", " # ] } , '\"\n\t", "\r\n"])
BLANKS = st.sampled_from(["", " ", "\t "])


@st.composite
def lists(draw, values):
    items = [f"{draw(GAPS)}{draw(values)}{draw(GAPS)}," for _ in range(draw(st.integers(0, 3)))]
    return f"[{''.join(items)}{draw(GAPS)}]"


@st.composite
def inline_tables(draw, values):
    keys = draw(st.lists(KEYS, max_size=3, unique=True))
    return "{" + ",".join(f"{draw(BLANKS)}{key} = {draw(values)}" for key in keys) + "}"


VALUES = st.recursive(SCALARS, lambda inner: lists(inner) | inline_tables(inner), max_leaves=6)


@st.composite
def documents(draw):
    lines = []
    for _ in range(draw(st.integers(0, 8))):
        heading = draw(st.sampled_from(["[{}]", "[[{}]]", "  [ {} ] # x", None, None, None]))
        key = draw(KEYS)
        lines.append(heading.format(key) if heading else f"{key}{draw(BLANKS)}={draw(VALUES)}")
        lines.append(draw(st.sampled_from(["", "# [a]\n", "  # '''", "\r"])))
    return "\n".join(lines)


def leaves(value, keys=()):
    """Iterate over what stands in tables, also inline ones, but not in lists of tables."""
    for key, inner in value.items():
        yield (*keys, key), inner
        if isinstance(inner, dict):
            yield from leaves(inner, (*keys, key))


@given(documents())
def test_every_key_and_value_is_found(text):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    found = places(text)
    for keys, value in leaves(data):
        place = found[keys]
        assert text[place.key] in f"{keys[-1][:1]}\"'"
        if place.value is not None:
            assert tomllib.loads(f"x = {text[place.value : place.end]}")["x"] == value
        else:
            assert isinstance(value, dict | list)


@pytest.mark.parametrize(
    ("text", "keys", "key", "value"),
    [
        ("a = 1", ("a",), 0, "1"),
        ("[a.b]\nc = 'x' # y", ("a", "b", "c"), 6, "'x'"),
        ("[a.b]\nc = 1\n[a]\nd = 2", ("a",), 1, None),
        ("a = {b = [1, 2], c = 3}", ("a", "c"), 17, "3"),
        ("# a = 1\n  a = '''\n[b]\n'''\n[b]", ("b",), 27, None),
        ("[[a]]\nb = 1\n[[a]]\nb = 2", ("a", "b"), 6, "1"),
        ("a = 1979-05-27 07:32:00  ", ("a",), 0, "1979-05-27 07:32:00"),
    ],
)
def test_places(text, keys, key, value):
    place = places(text)[keys]
    assert place.key == key
    assert (None if place.value is None else text[place.value : place.end]) == value
