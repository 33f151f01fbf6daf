"""The number of a cluster's nodes to scaleSettings."""

from __future__ import annotations

from typing import Final

from bai.compiler.passes.wire_builder import WireBuilder
from bai.specs.findings import Path
from bai.specs.models.machines import Scale

_TARGET: Final[Path] = ("properties", "scaleSettings")


def lower_scale(builder: WireBuilder, scale: Scale, at: Path) -> None:
    """Put a cluster's scaleSettings; `at` is the place of `scale` in the document."""
    if scale.target is not None:
        manual = (*_TARGET, "manual")
        builder.set((*manual, "targetNodeCount"), scale.target, (*at, "target"))
        builder.set(
            (*manual, "nodeDeallocationOption"), scale.on_deallocation, (*at, "onDeallocation")
        )
    else:
        auto = (*_TARGET, "autoScale")
        builder.set((*auto, "minimumNodeCount"), scale.min, (*at, "min"))
        builder.set((*auto, "maximumNodeCount"), scale.max, (*at, "max"))
        builder.set((*auto, "initialNodeCount"), scale.initial, (*at, "initial"))
