"""A cluster's image to its imageReference."""

from __future__ import annotations

from typing import Final

from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.models.machines import IMAGE_ALIASES, Image

_TARGET: Final[Path] = ("properties", "virtualMachineConfiguration", "imageReference")


def lower_image(builder: WireBuilder, image: Image, at: Path) -> None:
    """Put a cluster's imageReference; `at` is the place of `image` in the document."""
    if image.alias is not None:
        names = IMAGE_ALIASES[image.alias.lower()]
        for key, name in zip(("publisher", "offer", "sku"), names, strict=True):
            builder.set((*_TARGET, key), name, (*at, "alias"))
    else:
        builder.set((*_TARGET, "publisher"), image.publisher, (*at, "publisher"))
        builder.set((*_TARGET, "offer"), image.offer, (*at, "offer"))
        builder.set((*_TARGET, "sku"), image.sku, (*at, "sku"))
    builder.set((*_TARGET, "version"), image.version, (*at, "version"))
    builder.set((*_TARGET, "virtualMachineImageId"), image.id, (*at, "id"))
