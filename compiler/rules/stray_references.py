"""BAI408: `${mounts.X}` and the like stand only where bai expands them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.compiler.resources.cluster import Cluster
from bai.compiler.resources.job import Job
from bai.compiler.rules.rule import Complaint, Resources, Rule
from bai.compiler.rules.texts import is_expanded, texts

_REFERENCE = re.compile(r"\$\{(?:mounts|inputs|outputs)\.[^{}]*\}")


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource in resources.items:
        for path, text in texts(resource.to_wire()):
            if isinstance(resource.body, (Job, Cluster)) and is_expanded(resource.body, path):
                continue
            for match in _REFERENCE.finditer(text):
                message = f"{match[0]} means nothing here"
                hint = "paths, commands, arguments and environment values of jobs may use it"
                yield Complaint(resource, path, message, hint, match[0])


RULE = Rule("BAI408", "a short reference where none is expanded", _check)
