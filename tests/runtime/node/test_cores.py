"""How the cores of a machine are dealt out to ranks."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from bai.runtime.node.cores import Core, shares, usable_cores


@st.composite
def machines(draw):
    """Return a machine's cores: some processors, each core with as many threads."""
    packages, cores, threads = (draw(st.integers(1, high)) for high in (3, 8, 2))
    many = packages * cores
    return [
        Core(number // cores, frozenset(range(number, many * threads, many)))
        for number in range(many)
    ]


@given(machines(), st.integers(2, 40))
def test_every_rank_gets_the_same_and_no_core_is_left(cores, ranks):
    found = shares(cores, ranks)
    if found is None:
        assert ranks > len(cores)
        assert ranks % len(cores)
        return
    assert len(found) == ranks
    assert len({len(cpus) for cpus in found}) == 1
    assert frozenset().union(*found) == frozenset().union(*(core.cpus for core in cores))
    # No core is split, and every one has the same number of ranks, but for those of all ranks.
    for core in cores:
        users = [cpus for cpus in found if cpus & core.cpus]
        assert all(core.cpus <= cpus for cpus in users)
        assert len(users) in (max(1, ranks // len(cores)), ranks)


@given(machines(), st.integers(2, 8))
def test_ranks_stay_on_one_processor_where_that_is_even(cores, ranks):
    packages = cores[-1].package + 1
    if packages == 1 or ranks % packages or len(cores) % ranks:
        return
    of = {cpu: core.package for core in cores for cpu in core.cpus}
    assert all(len({of[cpu] for cpu in cpus}) == 1 for cpus in shares(cores, ranks))


def test_slow_and_fast_cores_are_dealt_evenly():
    """Of two kinds of cores, which a machine numbers one kind after the other."""
    cores = [Core(0, frozenset([number])) for number in range(8)]
    assert shares(cores, 2) == [{0, 2, 4, 6}, {1, 3, 5, 7}]


def test_one_process_is_not_bound():
    assert shares(usable_cores(), 1) is None


def test_the_cores_of_this_machine_are_distinguished():
    cores = usable_cores()
    assert all(not a.cpus & b.cpus for a, b in combinations(cores, 2))
