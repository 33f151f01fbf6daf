"""The acceptance suite: what users may expect of running jobs, on every engine."""

import pytest
from engines import ENGINES


@pytest.fixture(params=ENGINES)
def engine(request):
    """The engine that `bai` runs jobs on."""
    found = ENGINES[request.param]
    if reason := found.missing():
        pytest.skip(reason)
    return found
