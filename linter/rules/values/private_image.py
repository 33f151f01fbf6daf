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

from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Violation

_REGISTRY = ("properties", "containerSettings", "imageSourceRegistry")


def _check(context: RuleContext) -> Iterator[Violation]:
    for job in context.jobs:
        image = job.text(*_REGISTRY, "image")
        if image is None or not job.mapping(*_REGISTRY, "credentials"):
            continue
        host, slash, _ = image.partition("/")
        if not slash or not ("." in host or ":" in host or host == "localhost"):
            message = f"the image {image!r} does not name its registry"
            hint = "with credentials, write REGISTRY/NAME:TAG"
            yield Violation(job, (*_REGISTRY, "image"), message, hint)


RULE = Rule("BAI308", "a private image that is not named in full", _check)
