"""The unit that the compiler makes, a plan compares and a provider holds."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bai.compiler.resources.code import Code
from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.words import Line
from bai.specs.findings import Path, Span

if TYPE_CHECKING:
    from bai.compiler.resources.bodies import Body


@dataclass(frozen=True)
class Resource:
    """One desired Batch AI resource."""

    id: ResourceId
    wire: Mapping[str, Any]
    """The body as JSON data, with markers in place of secrets; nobody changes it any more."""
    spans: Mapping[Path, Span] = field(default_factory=dict, compare=False, repr=False)
    """Path in the wire form -> where the user wrote what it came from."""
    lines: Mapping[Path, Line] = field(default_factory=dict, compare=False, repr=False)
    """Path in the wire form -> the line there, where it was written as a list of words."""
    per_gpu: bool = field(default=False, compare=False, repr=False)
    """Whether a job has one process for each GPU of its nodes."""
    left_out: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """Keys of its properties that a run goes without; their secrets stay secrets."""
    code: Code | None = field(default=None, compare=False, repr=False)
    """The folder of this machine that a job runs in, as a snapshot."""
    remark: str | None = field(default=None, compare=False, repr=False)
    """What a plan says of it beside its values."""
    left_open: Set[str] = field(default_factory=frozenset, compare=False, repr=False)
    """Keys of which the user says nothing: a live resource keeps what it has."""
    substitutes: Mapping[Path, tuple[str, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    """Path of a text in the wire form -> what stands in it in place of references to parameters."""

    @cached_property
    def body(self) -> Body:
        """The typed body.

        Raises:
            pydantic.ValidationError: the wire form is not of its kind's shape, which is a mistake
                of a pass and never of a spec.
        """
        # Rules look at the wire form alone, and the models of bodies take long to import.
        from bai.compiler.resources.bodies import body_from_wire

        return body_from_wire(self.id.kind, self.wire)

    def to_wire(self) -> dict[str, Any]:
        """Return the wire form, checked and with its keys in order: a copy for the caller.

        Raises:
            pydantic.ValidationError: as for `body`.
        """
        return self.body.to_wire()

    def span(self, *path: str | int) -> Span | None:
        """Return the span of a wire path, or of the nearest part above it that has one."""
        for length in range(len(path), -1, -1):
            if span := self.spans.get(path[:length]):
                return span
        return None
