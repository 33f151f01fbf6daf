"""BAI311: every input and every output has an id of its own.

The id is the end of a variable's name, `AZ_BATCHAI_OUTPUT_MODEL`. Of two directories with the same
id the job would find only one.

Wrong (job.json):

    {
      "outputDirectories": [
        {
          "id": "MODEL",
          "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"
        },
        {
          "id": "MODEL",
          "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data",
          "pathSuffix": "best"
        }
      ]
    }

Right (job.json):

    {
      "outputDirectories": [
        {
          "id": "MODEL",
          "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data"
        },
        {
          "id": "BEST",
          "pathPrefix": "$AZ_BATCHAI_JOB_MOUNT_ROOT/data",
          "pathSuffix": "best"
        }
      ]
    }
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation


@rule("BAI311", Kind.JOB)
def own_ids(job: ResourceView) -> Iterator[Violation]:
    for what in ("inputDirectories", "outputDirectories"):
        seen = set()
        for path, _ in job.entries("properties", what):
            name = job.literal(*path, "id")
            if name is not None and name in seen:
                message = f"the id {name!r} is taken by another one of the {what}"
                yield Violation((*path, "id"), message, "choose another id")
            seen.add(name)
