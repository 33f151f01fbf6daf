"""BAI308: an image of a private registry is named in full.

Credentials are sent to the registry that the image's name begins with. A bare name means Docker's
public registry, where the image is not found and to which the password does not belong.

Wrong (job):

    container:
      image: train:1.0
      credentials: {username: me, password: "env:REGISTRY_PASSWORD"}

Right (job):

    container:
      image: ours.azurecr.io/train:1.0
      credentials: {username: me, password: "env:REGISTRY_PASSWORD"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_REGISTRY = ("properties", "containerSettings", "imageSourceRegistry")


@rule("BAI308", Kind.JOB)
def private_image(job: ResourceView) -> Iterator[Violation]:
    image = job.text(*_REGISTRY, "image")
    if image is None or not job.mapping(*_REGISTRY, "credentials"):
        return
    host, slash, _ = image.partition("/")
    if not slash or not ("." in host or ":" in host or host == "localhost"):
        message = f"the image {image!r} does not name its registry"
        hint = "with credentials, write REGISTRY/NAME:TAG"
        yield Violation((*_REGISTRY, "image"), message, hint)
