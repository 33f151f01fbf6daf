"""Changes that may outlive the call that began them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bai.compiler.resources.ids import ResourceId


class OperationKind(StrEnum):
    """What an operation does."""

    PUT = "put"
    DELETE = "delete"
    RESIZE = "resize"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Operation:
    """A change that was begun; the provider says whether it is done."""

    kind: OperationKind
    resource: ResourceId
    attempt: str | None = None
    """Uuid of the attempt that it began or ends."""
