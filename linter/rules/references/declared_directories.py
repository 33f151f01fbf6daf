"""BAI404: every AZ_BATCHAI_INPUT_X and AZ_BATCHAI_OUTPUT_X that is used is declared.

The service sets these variables for the job's inputs and outputs, and for nothing else. One that
is not declared is empty: `$AZ_BATCHAI_OUTPUT_MODEL/best.h5` becomes `/best.h5`, and what was
written there is gone with the node. A variable's name goes on for as long as letters, digits and
`_` do: `$AZ_BATCHAI_INPUT_DATAx` is not `DATA` with an `x` behind it.

Wrong (job):

    inputs: {DATA: "${mounts.data}/digits"}
    custom: {command: "wc -l $AZ_BATCHAI_INPUT_DATE/train.csv"}

Right (job):

    inputs: {DATA: "${mounts.data}/digits"}
    custom: {command: "wc -l $AZ_BATCHAI_INPUT_DATA/train.csv"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.batchai.variables import DIRECTORY_LISTS, directory
from bai.compiler.resources.ids import Kind
from bai.linter.facts.assignments import is_assigned
from bai.linter.facts.variable_uses import directory_ids, variable_uses
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation
from bai.specs.names import suggestion


@rule("BAI404", Kind.JOB)
def declared_directories(job: ResourceView) -> Iterator[Violation]:
    for use in variable_uses(job):
        found = directory(use.name)
        if found is None:
            continue
        group, id = found
        known = directory_ids(job)[group]
        if id in known or use.has_fallback or is_assigned(job, use):
            continue
        where = f"{group.lower()}s" if job.is_compiled else DIRECTORY_LISTS[group]
        hint = suggestion(id, known) if known else f"declare {id} under {where}"
        yield Violation(Part(use.path, use.written), f"{use.name} is not declared", hint)
