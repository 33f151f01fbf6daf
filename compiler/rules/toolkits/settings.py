"""The toolkit of a job's wire form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bai.compiler.rules.subject import Subject

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


def toolkits(job: Subject) -> Iterator[tuple[str, dict[str, Any]]]:
    """Iterate over the (name, settings) of the toolkits of a job: one, if all is well."""
    properties = job.mapping("properties")
    for name in TOOLKITS:
        settings = properties.get(name)
        if type(settings) is dict:
            yield name, settings
