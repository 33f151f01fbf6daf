"""BAI322: `shmSize` is a size as Docker reads it.

A number and a unit: `b`, `k`, `m` or `g`, `64m` for example. A number alone is bytes. Docker starts
no container with any other text.

Wrong (job):

    container: {image: "tensorflow/tensorflow:1.8.0-gpu", shmSize: lots}

Right (job):

    container: {image: "tensorflow/tensorflow:1.8.0-gpu", shmSize: 8g}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH: Final = ("properties", "containerSettings", "shmSize")
_SIZE: Final = r"[0-9]+(?:\.[0-9]+)*\s?(?:[kmgtp]?i?b?)"
"""What Docker's RAMInBytes takes (go-units)."""


@rule("BAI322", Kind.JOB)
def memory_sizes(job: ResourceView) -> Iterator[Violation]:
    size = job.literal(*_PATH)
    if size and "$" not in size and not re.fullmatch(_SIZE, size.strip(), re.IGNORECASE):
        hint = "write a number and b, k, m or g: 8g, for example"
        yield Violation(_PATH, f"{size!r} is no size", hint)
