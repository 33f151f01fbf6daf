"""What is found out about a resource once, however many rules ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from bai.linter.resource_view import ResourceView

Found = TypeVar("Found")


def memo(find: Callable[[ResourceView], Found]) -> Callable[[ResourceView], Found]:
    """Return `find`, made to keep what it found in the resource, as a cached property does."""
    key = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def kept(resource: ResourceView) -> Found:
        known = resource.__dict__
        if key not in known:
            known[key] = find(resource)
        found: Found = known[key]
        return found

    return kept
