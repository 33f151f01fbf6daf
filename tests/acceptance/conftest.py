"""The acceptance suite: what users may expect of running jobs, on every engine."""

from pathlib import Path

import pytest
from engines import ENGINES

ON_A_QUEUE = {"test_ends", "test_kills", "test_queue", "test_submissions", "test_sweeps"}
"""The files that matter for an engine with a queue of its own as well.

Its processes are those of the local engine; the others would only repeat what is tested there, or
are about nodes that bai allocates.
"""


def pytest_generate_tests(metafunc):
    if "engine" in metafunc.fixturenames:
        everywhere = Path(metafunc.module.__file__).stem in ON_A_QUEUE
        names = [name for name, each in ENGINES.items() if everywhere or not each.has_queue]
        metafunc.parametrize("engine", names, indirect=True)


@pytest.fixture
def engine(request):
    """The engine that `bai` runs jobs on."""
    found = ENGINES[request.param]
    if reason := found.missing():
        pytest.skip(reason)
    return found
