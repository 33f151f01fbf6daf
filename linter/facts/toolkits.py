"""The toolkit of a job's wire form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bai.linter.facts.memo import memo
from bai.linter.resource_view import ResourceView

TOOLKITS: Final = (
    "horovodSettings",
    "pyTorchSettings",
    "tensorFlowSettings",
    "customMpiSettings",
    "customToolkitSettings",
    "caffeSettings",
    "caffe2Settings",
    "chainerSettings",
    "cntkSettings",
)
"""Names of the toolkits on the wire."""


@memo
def toolkits(job: ResourceView) -> Sequence[tuple[str, dict[str, Any]]]:
    """Return the (name, settings) of the toolkits of a job: one, if all is well."""
    properties = job.mapping("properties")
    return [(name, settings) for name in TOOLKITS if type(settings := properties.get(name)) is dict]
