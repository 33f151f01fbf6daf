"""BAI309: an environment variable has a name of its own, not one of the service's.

Names that begin with `AZ_BATCHAI_` or `AZ_BATCH_` are set by the service. A variable of the user's
with such a name would take the place of one that programs rely on, or be lost to it.

Wrong (job):

    environment: {AZ_BATCHAI_NUM_GPUS: 4}

Right (job):

    environment: {GPUS: 4}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.variables import LISTS, environments
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_RESERVED = ("AZ_BATCHAI_", "AZ_BATCH_")


@rule("BAI309")
def variable_names(resource: ResourceView) -> Iterator[Violation]:
    for holder in environments(resource):
        for path, entry in (pair for name in LISTS for pair in resource.entries(*holder, name)):
            name = entry.get("name")
            if isinstance(name, str) and name.startswith(_RESERVED):
                message = f"{name} is one of the service's variables"
                yield Violation((*path, "name"), message, "choose another name")
