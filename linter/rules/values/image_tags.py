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

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_PATH: Final = ("properties", "containerSettings", "imageSourceRegistry", "image")


@rule("BAI312", Kind.JOB)
def image_tags(job: ResourceView) -> Iterator[Violation]:
    image = job.literal(*_PATH)
    # A digest, and what a variable stands for, say which one.
    if not image or "@" in image or "$" in image:
        return
    # Addresses and commands are told (BAI323).
    if "://" in image or len(image.split()) > 1:
        return
    # The port of a registry stands before the last `/`, a tag behind it.
    _, _, tag = image.rpartition("/")[2].partition(":")
    if tag in ("", "latest"):
        what = "with the tag latest" if tag else "without a tag"
        message = f"the image {image!r} {what} may be another one tomorrow"
        yield Violation(_PATH, message, "name a version, as in NAME:1.8.0, or a digest")
