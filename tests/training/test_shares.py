"""Each sample is on one rank, once."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.training import share

COUNTS = st.integers(0, 300)
SIZES = st.integers(1, 40)
SEEDS = st.one_of(st.integers(0, 2**32), st.tuples(st.integers(0, 9), st.integers(0, 99)))


def shares(count, size, seed):
    return [share(count, rank=rank, size=size, seed=seed).tolist() for rank in range(size)]


@given(COUNTS, SIZES, SEEDS)
def test_every_index_is_on_exactly_one_rank(count, size, seed):
    assert sorted(chain(*shares(count, size, seed))) == list(range(count))


@given(COUNTS, SIZES, SEEDS)
def test_parts_differ_by_one_at_most(count, size, seed):
    lengths = [len(part) for part in shares(count, size, seed)]
    assert max(lengths) - min(lengths) <= 1
    assert lengths == sorted(lengths, reverse=True)


@given(COUNTS, SIZES, SEEDS)
def test_all_ranks_shuffle_in_the_same_way(count, size, seed):
    (whole,) = shares(count, 1, seed)
    assert shares(count, size, seed) == [whole[rank::size] for rank in range(size)]


def test_another_seed_is_another_order():
    first, again, second = (share(100, rank=0, size=2, seed=(1, e)).tolist() for e in (1, 1, 2))
    assert first == again
    assert first != second
    assert first != sorted(first)


@pytest.mark.parametrize(
    ("count", "rank", "size", "message"),
    [
        (-1, 0, 1, "count is -1"),
        (5, 2, 2, "rank is 2: ranks of 2 processes are from 0 to 1"),
        (5, -1, 2, "rank is -1"),
    ],
)
def test_what_is_no_share_is_refused(count, rank, size, message):
    with pytest.raises(ValueError, match=message):
        share(count, rank=rank, size=size, seed=0)
