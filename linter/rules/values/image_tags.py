"""BAI312: a container's image is a certain one.

Without a tag, or with `latest`, the same job runs another program tomorrow, or none at all. A tag
with a version or a digest keeps a run repeatable.

Wrong (job):

    container: tensorflow/tensorflow

Right (job):

    container: tensorflow/tensorflow:1.8.0-gpu
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation
from bai.specs.findings import Severity

_PATH: Final = ("properties", "containerSettings", "imageSourceRegistry", "image")


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        image = job.literal(*_PATH)
        # A digest, and what a variable stands for, say which one.
        if not image or "@" in image or "$" in image:
            continue
        # Addresses and commands are told (BAI323).
        if "://" in image or len(image.split()) > 1:
            continue
        # The port of a registry stands before the last `/`, a tag behind it.
        _, _, tag = image.rpartition("/")[2].partition(":")
        if tag in ("", "latest"):
            what = "with the tag latest" if tag else "without a tag"
            message = f"the image {image!r} {what} may be another one tomorrow"
            yield Violation(job, _PATH, message, "name a version, as in NAME:1.8.0, or a digest")


RULE = Rule("BAI312", "an image without a version", _check, Severity.WARNING)
