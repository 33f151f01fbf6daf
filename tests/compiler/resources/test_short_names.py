"""The shortest names that only one resource has."""

import pytest

from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.short_names import ShortNames

WORKSPACE = ResourceId("s", "g", "w", Kind.WORKSPACE, "w")
CLUSTER = WORKSPACE.sibling(Kind.CLUSTER, "train")
ONE = WORKSPACE.sibling(Kind.JOB, "train", "one")
TWO = WORKSPACE.sibling(Kind.JOB, "TRAIN", "two")
ELSEWHERE = ONE._replace(workspace="other")


@pytest.mark.parametrize(
    ("others", "label"),
    [
        ([], "job/train"),
        ([ONE, CLUSTER, WORKSPACE], "job/train"),
        ([ONE, TWO], "job/one/train"),
        ([ONE, TWO, ELSEWHERE], "job/w/one/train"),
        ([ONE._replace(resource_group="h")], "job/g/w/one/train"),
        ([ONE._replace(subscription="t")], "job/g/w/one/train"),
    ],
)
def test_the_shortest_name_that_no_other_has(others, label):
    assert ShortNames(others).label(ONE) == label
    assert f"job/{ShortNames(iter(others)).name(ONE)}" == label
