"""A cluster's image to its imageReference."""

from __future__ import annotations

from typing import Final

from bai.compiler.draft import Draft
from bai.specs.findings import Path
from bai.specs.models.machines import IMAGE_ALIASES, Image

_TARGET: Final[Path] = ("properties", "virtualMachineConfiguration", "imageReference")


def lower_image(draft: Draft, image: Image, at: Path) -> None:
    """Put a cluster's imageReference; `at` is the place of `image` in the document."""
    if image.alias is not None:
        names = IMAGE_ALIASES[image.alias.lower()]
        for key, name in zip(("publisher", "offer", "sku"), names, strict=True):
            draft.put((*_TARGET, key), name, (*at, "alias"))
    else:
        draft.put((*_TARGET, "publisher"), image.publisher, (*at, "publisher"))
        draft.put((*_TARGET, "offer"), image.offer, (*at, "offer"))
        draft.put((*_TARGET, "sku"), image.sku, (*at, "sku"))
    draft.put((*_TARGET, "version"), image.version, (*at, "version"))
    draft.put((*_TARGET, "virtualMachineImageId"), image.id, (*at, "id"))
