"""The table of VM sizes agrees with how Azure names its sizes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bai.compiler.batchai import vm_sizes

SIZES = [vm_sizes.find(name) for name in vm_sizes.names()]


@pytest.mark.parametrize(
    "spelling", ["STANDARD_NC24r", "standard_nc24r", "Standard_NC24R", "NC24r", "nc24R", " NC24r "]
)
def test_a_size_is_found_in_any_spelling(spelling):
    size = vm_sizes.find(spelling)
    assert size == ("Standard_NC24r", "NC", 24, 224, 4, "NVIDIA Tesla K80", True, False)


@pytest.mark.parametrize(
    ("name", "cores", "memory", "gpus", "rdma", "premium"),
    [
        ("STANDARD_A0", 1, 0.75, 0, False, False),
        ("STANDARD_A9", 16, 112, 0, True, False),
        ("STANDARD_D2_V2", 2, 7, 0, False, False),
        ("STANDARD_DS13-2_V2", 2, 56, 0, False, True),
        ("STANDARD_H16mr", 16, 224, 0, True, False),
        ("STANDARD_NC6", 6, 56, 1, False, False),
        ("STANDARD_NC24rs_v3", 24, 448, 4, True, True),
        ("STANDARD_ND12s", 12, 224, 2, False, True),
        ("STANDARD_NV24", 24, 224, 4, False, False),
    ],
)
def test_what_is_known_of_a_size(name, cores, memory, gpus, rdma, premium):
    size = vm_sizes.find(name)
    assert (size.cores, size.memory, size.gpus) == (cores, memory, gpus)
    assert (size.rdma, size.premium_storage) == (rdma, premium)


@pytest.mark.parametrize("name", ["", "STANDARD_", "NC25", "Basic_A1", "Standard_NC6_v9", "\0"])
def test_an_unknown_size_gives_none(name):
    assert vm_sizes.find(name) is None


@given(st.text())
def test_any_text_can_be_asked_for(text):
    assert vm_sizes.find(text) is None or text.strip()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_a_size_is_what_its_name_says(size):
    """Azure's names give the series, and by letters: r for RDMA, s for premium storage."""
    short = size.name.removeprefix("Standard_")
    family, letters = re.match(r"([A-Z]+)\d+(?:-\d+)?([a-z]*)", short).groups()
    version = re.search(r"_v\d$|$", short)[0].removeprefix("_")
    assert size.series in {family + version, family + "s" + version}
    assert size.rdma == ("r" in letters or short in {"A8", "A9"})
    assert size.premium_storage == ("s" in letters or family in {"DS", "GS"})
    assert bool(size.gpus) == bool(size.gpu_model) == family.startswith("N")


def test_sizes_with_more_gpus_have_as_many_times_the_cores():
    for size in SIZES:
        if size.gpus:
            assert size.cores == 6 * size.gpus


def test_names_are_unique():
    assert len(set(vm_sizes.names())) == len(vm_sizes.names()) > 150
