"""A sorted collection that stays fast as it grows."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T", bound=Any)

_MOST = 512
"""How long a block may be."""


class Ordered(Generic[T]):
    """Unique, comparable elements in their order, in sorted blocks of limited length."""

    def __init__(self) -> None:
        """Begin empty."""
        self._blocks: list[list[T]] = []
        self._lasts: list[T] = []
        self._count = 0

    def __iter__(self) -> Iterator[T]:
        for block in self._blocks:
            yield from block

    def __reversed__(self) -> Iterator[T]:
        for block in reversed(self._blocks):
            yield from reversed(block)

    def __len__(self) -> int:
        return self._count

    def add(self, element: T) -> None:
        """Add an element that is not there."""
        self._count += 1
        if not self._blocks:
            self._blocks.append([element])
            self._lasts.append(element)
            return
        at = min(bisect_left(self._lasts, element), len(self._blocks) - 1)
        block = self._blocks[at]
        insort(block, element)
        if len(block) > _MOST:
            self._blocks[at : at + 1] = halves = [block[: _MOST // 2], block[_MOST // 2 :]]
            self._lasts[at : at + 1] = [half[-1] for half in halves]
        else:
            self._lasts[at] = block[-1]

    def remove(self, element: T) -> None:
        """Remove an element.

        Raises:
            KeyError: it is not there.
        """
        at = bisect_left(self._lasts, element)
        block = self._blocks[at] if at < len(self._blocks) else []
        place = bisect_left(block, element)
        if place == len(block) or block[place] != element:
            raise KeyError(element)
        del block[place]
        self._count -= 1
        if block:
            self._lasts[at] = block[-1]
        else:
            del self._blocks[at], self._lasts[at]

    def before(self, element: T) -> int:
        """Return how many elements are smaller."""
        at = bisect_left(self._lasts, element)
        if at == len(self._blocks):
            return self._count
        return sum(map(len, self._blocks[:at])) + bisect_left(self._blocks[at], element)

    def starting(self, element: Any) -> Iterator[T]:
        """Return the elements that are not smaller than this, which need not be one of them."""
        at = bisect_left(self._lasts, element)
        for number in range(at, len(self._blocks)):
            block = self._blocks[number]
            first = bisect_left(block, element) if number == at else 0
            yield from block[first:]
