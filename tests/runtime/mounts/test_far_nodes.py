"""Containers of real accounts on engines whose nodes are other machines."""

from types import SimpleNamespace

import pytest
from blob_jobs import account, job
from engines import ENGINES


@pytest.fixture
def engine():
    """An engine with an agent for each node."""
    if reason := ENGINES["far"].missing():
        pytest.skip(reason)
    return ENGINES["far"]


def test_containers_are_refused(bai):
    account(bai, SimpleNamespace(endpoint=lambda: "http://127.0.0.1:1/vision", key="bm8="))
    said = " ".join(bai.run("diff", job(bai, "true"), code=2).stderr.split())
    assert "azureBlob://vision/data is in a real account, and nodes are far machines" in said
    assert "run the job in a context whose engine is local" in said
