"""BAI417: variables stand where they are expanded.

The service expands its variables in the paths, commands and arguments of jobs and setup tasks. In
what it needs before there is a job, in options of mounts, in the image, and in a `pathSuffix`, a
variable stays what it is: a directory called `$AZ_BATCHAI_TASK_INDEX`.

Wrong (job):

    outputs:
      MODEL: {path: "${mounts.data}", suffix: model-$AZ_BATCHAI_NUM_GPUS}

Right (job):

    outputs:
      MODEL: {path: "${mounts.data}", suffix: model}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import NAMES, directory
from bai.linter.facts.variable_uses import uses_of_text
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation

_OTHERS: Final = frozenset(("relativeMountPath", "mountCommand"))
"""Keys that have rules of their own: BAI502 and BAI514."""


@rule("BAI417")
def stray_variables(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts:
        if "$" not in text or resource.is_expanded(path) or not path or path[-1] in _OTHERS:
            continue
        for use in uses_of_text(path, text):
            if use.name in NAMES or directory(use.name):
                message = f"{use.written} is not expanded here"
                hint = "paths, commands and arguments may use it: write what it stands for"
                yield Violation(Part(path, use.written), message, hint)
