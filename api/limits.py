"""Scaling a run down to a smaller machine."""

from __future__ import annotations

from dataclasses import dataclass

from bai.arguments import expect
from bai.compiler.compilation import Compilation
from bai.compiler.passes.cap import cap, without_containers


@dataclass(frozen=True, slots=True)
class Limits:
    """How a run is scaled down to a smaller machine."""

    max_nodes: int | None = None
    max_processes: int | None = None
    without_containers: bool = False
    """Whether jobs run outside their container images, and without their preparation."""
    with_preparation: bool = False
    """Whether jobs that run outside their images keep their preparation."""

    def __post_init__(self) -> None:
        """Check the bounds.

        Raises:
            TypeError, ValueError: one is no integer, or below 1; or there is no image in whose
                place a preparation would run.
        """
        for name in ("max_nodes", "max_processes"):
            if (bound := getattr(self, name)) is not None:
                expect(bound, int, f"{name} must be an int or None")
                if bound < 1:
                    raise ValueError(f"{name} must be at least 1, not {bound}")
        if self.with_preparation and not self.without_containers:
            raise ValueError("with_preparation changes nothing where without_containers is False")

    def apply(self, compilation: Compilation) -> Compilation:
        """Return the compilation within the limits, with a note for every change."""
        cut = cap(compilation, self.max_nodes, self.max_processes)
        if not self.without_containers:
            return cut
        return without_containers(cut, with_preparation=self.with_preparation)
