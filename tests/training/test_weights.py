"""Digests tell weights apart, and name the ranks that differ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from bai.training import digest, require_identical

ARRAYS = arrays_of.arrays(
    st.sampled_from(["f4", "f8", "i8", "?"]), arrays_of.array_shapes(min_dims=0, min_side=0)
)


@given(st.lists(ARRAYS, max_size=4))
def test_copies_have_the_same_digest(arrays):
    copies = [array.copy(order="F") for array in arrays]
    assert digest(copies) == digest(arrays)
    assert len(digest(arrays)) == 16


@given(st.lists(ARRAYS, min_size=1, max_size=4), st.data())
def test_one_other_bit_is_another_digest(arrays, data):
    place = data.draw(st.integers(0, len(arrays) - 1))
    other = arrays[place].copy()
    if other.size:
        other.reshape(-1).view("u1")[data.draw(st.integers(0, other.nbytes - 1))] ^= 1
    else:
        other = np.zeros((*other.shape, 1), other.dtype)
    assert digest([*arrays[:place], other, *arrays[place + 1 :]]) != digest(arrays)


def test_shape_type_order_and_borders_count():
    found = [
        digest(arrays)
        for arrays in (
            [np.zeros(4, "f4")],
            [np.zeros((2, 2), "f4")],
            [np.zeros(4, "i4")],
            [np.zeros(2, "f4"), np.zeros(2, "f4")],
            [np.zeros(1, "f4"), np.ones(1, "f4")],
            [np.ones(1, "f4"), np.zeros(1, "f4")],
            [],
        )
    ]
    assert len(set(found)) == len(found)


def test_tensors_of_pytorch_have_the_digest_of_their_arrays():
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(3, 2)
    state = layer.state_dict()
    assert digest(state.values()) == digest(each.numpy() for each in state.values())


def test_objects_are_refused():
    with pytest.raises(TypeError, match="object"):
        digest([np.array([{}])])


def test_identical_digests_pass():
    require_identical(["aa", "aa", "aa"])
    require_identical(["aa"])


def test_ranks_that_differ_are_named():
    with pytest.raises(ValueError, match=r"rank 0 \(aa\): 1 \(bb\), 3 \(cc\)$"):
        require_identical(["aa", "bb", "aa", "cc"])
