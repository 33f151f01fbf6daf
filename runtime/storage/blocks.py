"""Transfers of blocks: a bounded number at once, for all files together."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import BoundedSemaphore
from typing import TypeVar

_Result = TypeVar("_Result")


class Blocks:
    """Runs transfers, which several threads may ask for."""

    def __init__(self, at_once: int) -> None:
        """Run so many at once."""
        self._pool = ThreadPoolExecutor(at_once)
        self._places = BoundedSemaphore(at_once)

    def run(self, transfers: Iterable[Callable[[], _Result]]) -> Iterator[_Result]:
        """Run transfers, and iterate over their results in the same order.

        A transfer is asked for once there is a place for it, so that memory has no more blocks.
        """
        coming = iter(transfers)
        running: deque[Future[_Result]] = deque()
        try:
            # Who has a place already waits for its own transfer, and not for another place: so
            # nobody waits in a circle.
            while True:
                if not self._places.acquire(blocking=not running):
                    yield self._ended(running)
                    continue
                transfer = self._next(coming)
                if transfer is None:
                    break
                running.append(self._pool.submit(transfer))
            while running:
                yield self._ended(running)
        finally:
            for each in running:
                if not each.cancel():
                    each.exception()
                self._places.release()

    def _next(self, coming: Iterator[Callable[[], _Result]]) -> Callable[[], _Result] | None:
        """Return the next transfer; without one, the place for it is free again."""
        transfer = None
        try:
            transfer = next(coming, None)
        finally:
            if transfer is None:
                self._places.release()
        return transfer

    def _ended(self, running: deque[Future[_Result]]) -> _Result:
        first = running.popleft()
        try:
            return first.result()
        finally:
            self._places.release()
