"""Memos for facts about a resource that several rules need."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from bai.linter.resource_view import ResourceView

Found = TypeVar("Found")
More = ParamSpec("More")


def memo(
    find: Callable[Concatenate[ResourceView, More], Found],
) -> Callable[Concatenate[ResourceView, More], Found]:
    """Return `find`, with its result kept in the resource's `memo`.

    A fact may also depend on the context: a resource is checked in one only.
    """

    @wraps(find)
    def kept(resource: ResourceView, /, *more: Any) -> Found:
        try:
            found: Found = resource.memo[find]
        except KeyError:
            found = resource.memo[find] = find(resource, *more)  # type: ignore[call-arg]
        return found

    # Without keywords, a call takes less time.
    return cast("Callable[Concatenate[ResourceView, More], Found]", kept)
