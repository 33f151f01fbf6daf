"""Memos for facts about a resource that several rules need."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from bai.linter.resource_view import ResourceView

Rest = ParamSpec("Rest")
Found = TypeVar("Found")


def memo(
    find: Callable[Concatenate[ResourceView, Rest], Found],
) -> Callable[Concatenate[ResourceView, Rest], Found]:
    """Return `find`, with its first result kept in the resource's `memo`.

    Other arguments are not part of the key: a resource is checked in one context only.
    """

    @wraps(find)
    def kept(resource: ResourceView, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Found:
        known = resource.memo
        if find not in known:
            known[find] = find(resource, *args, **kwargs)
        found: Found = known[find]
        return found

    return kept
