"""What is found in texts is cached, in bounded memory."""

import pytest

from bai.linter.cache import cached, cached_tuples


@pytest.fixture
def asked():
    """What a function was really asked for."""
    return []


def test_a_short_text_is_looked_at_once(asked):
    find = cached(lambda text: asked.append(text) or len(text))
    assert [find("abc"), find("abc"), find("abcd")] == [3, 3, 4]
    assert asked == ["abc", "abcd"]


def test_a_long_text_is_not_kept(asked):
    find = cached(lambda text: asked.append(len(text)))
    for _ in range(2):
        find("x" * 100_000)
    assert asked == [100_000, 100_000]


def test_several_texts_count_together(asked):
    find = cached_tuples(lambda texts: asked.append(len(texts)) or texts)
    short, long = ("a", "b"), ("a" * 300,) * 3
    assert [find(short), find(short), find(long), find(long)] == [short, short, long, long]
    assert asked == [2, 3, 3]
