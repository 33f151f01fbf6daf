"""BAI412: a job uses the variables of its own toolkit, not those of another one.

TensorFlow's processes learn each other's addresses from `AZ_BATCHAI_PS_HOSTS` and
`AZ_BATCHAI_WORKER_HOSTS`, PyTorch's from `AZ_BATCHAI_PYTORCH_INIT_METHOD`; both, and Caffe2's,
learn which one they are from `AZ_BATCHAI_TASK_INDEX`. In jobs of other toolkits these variables
are not set. Under MPI and Horovod a process asks its library for its rank.

Wrong (job):

    horovod:
      script: ${mounts.data}/train.py
      args: --rank $AZ_BATCHAI_TASK_INDEX

Right (job):

    pyTorch:
      script: ${mounts.data}/train.py
      args: --rank $AZ_BATCHAI_TASK_INDEX
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import TOOLKITS, toolkit_names
from bai.compiler.resources.ids import Kind
from bai.linter.facts.assignments import is_assigned
from bai.linter.facts.variable_uses import variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation

_SETTINGS: Final = (
    "customToolkitSettings",
    "customMpiSettings",
    "horovodSettings",
    "tensorFlowSettings",
    "pyTorchSettings",
    "cntkSettings",
    "caffeSettings",
    "caffe2Settings",
    "chainerSettings",
)
_RANKS: Final = ("customMpiSettings", "horovodSettings", "chainerSettings", "cntkSettings")
"""Toolkits whose processes have a rank from their library."""


@rule("BAI412", Kind.JOB)
def toolkit_variables(job: ResourceView) -> Iterator[Violation]:
    for use in variable_uses(job):
        owners = TOOLKITS.get(use.name)
        if owners is None or "jobPreparation" in use.path:
            continue
        toolkit = _toolkit(job)
        if toolkit is None or toolkit in owners or use.has_fallback or is_assigned(job, use):
            continue
        given = toolkit_names([toolkit], in_spec=job.is_compiled)
        message = f"{use.name} is not set for {given}"
        hint = f"only jobs with {toolkit_names(owners, in_spec=job.is_compiled)} have it"
        if toolkit in _RANKS and use.name == "AZ_BATCHAI_TASK_INDEX":
            hint += "; the script gets its rank from MPI or Horovod"
        yield Violation(Part(use.path, use.written), message, hint)


def _toolkit(job: ResourceView) -> str | None:
    """Return the key of the job's settings; None unless it has exactly one toolkit."""
    properties = job.mapping("properties")
    found = [name for name in _SETTINGS if name in properties]
    return found[0] if len(found) == 1 else None
