"""The number of a cluster's nodes to scaleSettings."""

from __future__ import annotations

from typing import Final

from bai.compiler.draft import Draft
from bai.specs.findings import Path
from bai.specs.models.machines import Scale

_TARGET: Final[Path] = ("properties", "scaleSettings")


def lower_scale(draft: Draft, scale: Scale, at: Path) -> None:
    """Put a cluster's scaleSettings; `at` is the place of `scale` in the document."""
    if scale.target is not None:
        manual = (*_TARGET, "manual")
        draft.put((*manual, "targetNodeCount"), scale.target, (*at, "target"))
        draft.put(
            (*manual, "nodeDeallocationOption"), scale.on_deallocation, (*at, "onDeallocation")
        )
    else:
        auto = (*_TARGET, "autoScale")
        draft.put((*auto, "minimumNodeCount"), scale.min, (*at, "min"))
        draft.put((*auto, "maximumNodeCount"), scale.max, (*at, "max"))
        draft.put((*auto, "initialNodeCount"), scale.initial, (*at, "initial"))
