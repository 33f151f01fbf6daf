"""Memos for facts about a resource that several rules need."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from bai.linter.context import RuleContext
from bai.linter.resource_view import ResourceView

Found = TypeVar("Found")


def memo(find: Callable[[ResourceView], Found]) -> Callable[[ResourceView], Found]:
    """Return `find`, with its result kept in the resource's `memo`."""

    @wraps(find)
    def kept(resource: ResourceView) -> Found:
        try:
            found: Found = resource.memo[find]
        except KeyError:
            found = resource.memo[find] = find(resource)
        return found

    return kept


def context_memo(
    find: Callable[[ResourceView, RuleContext], Found],
) -> Callable[[ResourceView, RuleContext], Found]:
    """Return the same of a fact that depends on the context: a resource is checked in one only."""

    @wraps(find)
    def kept(resource: ResourceView, context: RuleContext) -> Found:
        try:
            found: Found = resource.memo[find]
        except KeyError:
            found = resource.memo[find] = find(resource, context)
        return found

    return kept
