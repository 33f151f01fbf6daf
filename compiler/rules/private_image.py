"""BAI308: an image of a private registry is named in full."""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.rule import Complaint, Resources, Rule


def _check(resources: Resources) -> Iterator[Complaint]:
    for resource, job in resources.jobs():
        container = job.properties.container_settings
        if not container or not container.image_source_registry.credentials:
            continue
        image = container.image_source_registry.image
        host, slash, _ = image.partition("/")
        if not slash or not ("." in host or ":" in host or host == "localhost"):
            path = ("properties", "containerSettings", "imageSourceRegistry", "image")
            message = f"the image {image!r} does not name its registry"
            yield Complaint(resource, path, message, "with credentials, write REGISTRY/NAME:TAG")


RULE = Rule("BAI308", "a private image is not fully qualified", _check)
