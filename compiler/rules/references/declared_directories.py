"""BAI404: every `AZ_BATCHAI_INPUT_X` and `AZ_BATCHAI_OUTPUT_X` that is used is declared.

The service sets these variables for the inputs and outputs that a job declares. Any other expands
to nothing, so that a path below it becomes one below the root of the file system.

Wrong (job):

    inputs: {IMAGES: "${mounts.data}/images"}
    custom: {command: ls $AZ_BATCHAI_INPUT_IMAGE}

Right (job):

    inputs: {IMAGES: "${mounts.data}/images"}
    custom: {command: ls $AZ_BATCHAI_INPUT_IMAGES}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subject, Subjects
from bai.specs.names import suggestion

_VARIABLE = re.compile(r"\$\{?AZ_BATCHAI_(INPUT|OUTPUT)_(\w+)\}?")
_LISTS: Final = {"INPUT": "inputDirectories", "OUTPUT": "outputDirectories"}


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for job in subjects.jobs:
        for path, text in job.expanded_texts:
            for match in _VARIABLE.finditer(text):
                group, name = match.groups()
                known = _ids(job, _LISTS[group])
                if name not in known:
                    message = f"AZ_BATCHAI_{group}_{name} is not declared"
                    where = f"{group.lower()}s" if job.is_compiled else _LISTS[group]
                    hint = suggestion(name, known) if known else f"declare {name} under {where}"
                    yield Complaint(job, path, message, hint, match[0])
    for cluster in subjects.clusters:
        for path, text in cluster.expanded_texts:
            for match in _VARIABLE.finditer(text):
                message = f"a setup task has no {match[1].lower()}s"
                yield Complaint(cluster, path, message, "only jobs have them", match[0])


def _ids(job: Subject, name: str) -> list[str]:
    found = (entry.get("id") for _, entry in job.entries("properties", name))
    return [id for id in found if isinstance(id, str)]


RULE = Rule("BAI404", "an input or output variable is not declared", _check)
