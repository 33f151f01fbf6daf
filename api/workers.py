"""Work spread over processes, in order."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from bai.runtime.errors import RuntimeFailure

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class WorkerError(RuntimeFailure):
    """A process ended in the middle of its work."""


def spread(
    work: Callable[[_Item], _Result], items: Iterable[_Item], processes: int
) -> Iterator[_Result]:
    """Iterate over what a function makes of each item, in their order.

    The processes are forked where that can be, so that they hold all that was imported before.

    Args:
        work: the function, which each process gets once.
        items: what it is called with; these and what it returns are sent.
        processes: how many to start.

    Raises:
        WorkerError: a process was killed, or has not enough memory.
    """
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    context = multiprocessing.get_context(method)
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(processes, context, _begin, (work,))
    try:
        with _held():
            # Starts the processes. Ctrl-C in the middle of a fork would be lost.
            results = pool.map(_do, items)
        yield from results
    except (KeyboardInterrupt, GeneratorExit):
        # Nobody waits for the rest, nor for a file that takes long.
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        raise
    except BrokenProcessPool:
        message = "a process was killed while it checked files, perhaps for want of memory"
        raise WorkerError(f"{message}; try again with --jobs 1") from None
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _held() -> Iterator[None]:
    """Let Ctrl-C wait."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_work: Callable[[Any], Any]
"""What a process does."""


def _begin(work: Callable[[Any], Any]) -> None:
    global _work
    _work = work
    # Ctrl-C reaches all processes of a terminal. These have nothing to say about it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _do(item: Any) -> Any:
    return _work(item)
