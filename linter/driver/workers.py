"""Spreading work over processes; results come in the order of the work."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final, NamedTuple, TypeVar

from bai.specs.errors import RuntimeFailure

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_AHEAD: Final = 2
"""Items that a process has at once, so that it need not wait for the next one."""


class WorkerError(RuntimeFailure):
    """A process ended in the middle of its work."""


def spread(
    work: Callable[[_Item], _Result], items: Sequence[_Item], processes: int
) -> Iterator[_Result]:
    """Iterate over the results of a function for each item, in their order.

    Each process has its own pipe and shares no lock. So a killed process is noticed at once, at the
    end of its pipe; the executors of the standard library may wait forever then.

    The processes are forked if possible, so that they have all imported modules.

    Args:
        work: the function. Its results and errors are sent, so pickle must be able to write them.
        items: its arguments.
        processes: how many to start.

    Raises:
        WorkerError: a process was killed, perhaps for lack of memory.
    """
    crew: list[_Worker] = []
    try:
        with _held():
            # Ctrl-C in the middle of a fork would be lost.
            for _ in range(processes):
                crew.append(_started(work, items, crew))
        yield from _results(crew, len(items))
    finally:
        # Also after Ctrl-C or an error: nothing waits for a file that takes long.
        for worker in crew:
            worker.process.kill()
        for worker in crew:
            worker.process.join()
            worker.pipe.close()


class _Reply(NamedTuple):
    """The result of an item, or its error."""

    item: int
    """Its index."""
    result: Any
    error: Exception | None = None


class _Worker(NamedTuple):
    """A process, and this end of its pipe."""

    process: BaseProcess
    pipe: Connection

    def give(self, index: int) -> None:
        """Give it the item with this index to work on."""
        # If it was killed, `take` reports that behind the replies that it has sent.
        with suppress(OSError):
            # Never waits: a few numbers have room in any pipe.
            self.pipe.send(index)

    def take(self) -> _Reply:
        """Wait for its next reply.

        Raises:
            WorkerError: it was killed, and there are no more.
        """
        try:
            reply: _Reply = self.pipe.recv()
        except (EOFError, OSError):
            message = "a process was killed while it checked files, perhaps for want of memory"
            raise WorkerError(f"{message}; try again with --jobs 1") from None
        return reply


def _results(crew: Sequence[_Worker], count: int) -> Iterator[Any]:
    todo = iter(range(count))
    for worker in [*crew] * _AHEAD:
        _give_next(worker, todo)
    workers: dict[Any, _Worker] = {worker.pipe: worker for worker in crew}
    replies: dict[int, _Reply] = {}
    for index in range(count):
        while index not in replies:
            for pipe in wait(workers):
                reply = workers[pipe].take()
                replies[reply.item] = reply
                _give_next(workers[pipe], todo)
        reply = replies.pop(index)
        if reply.error is not None:
            raise reply.error
        yield reply.result


def _give_next(worker: _Worker, todo: Iterator[int]) -> None:
    if (index := next(todo, None)) is not None:
        worker.give(index)


def _started(work: Callable[[Any], Any], items: Sequence[Any], crew: Sequence[_Worker]) -> _Worker:
    forks = "fork" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("fork") if forks else multiprocessing
    ours, theirs = context.Pipe()
    # A process that is forked also holds all pipes that are open here.
    inherited = [*(worker.pipe for worker in crew), ours] if forks else []
    process = context.Process(target=_serve, args=(work, items, theirs, inherited), daemon=True)
    process.start()
    # The process now holds the only other end, so that its death is the pipe's end.
    theirs.close()
    return _Worker(process, ours)


@contextmanager
def _held() -> Iterator[None]:
    """Hold Ctrl-C back."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(
    work: Callable[[Any], Any],
    items: Sequence[Any],
    pipe: Connection,
    inherited: Sequence[Connection],
) -> None:
    """Work on the items whose indexes come by the pipe, until its other end is closed."""
    # Ctrl-C reaches all processes of a terminal. These end without a message.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    for each in inherited:
        # Or this process itself would keep its pipe open when the parent is killed.
        each.close()
    while True:
        try:
            index = pipe.recv()
            pipe.send(_done(work, items, index))
        except (EOFError, OSError):
            # The parent is gone.
            return


def _done(work: Callable[[Any], Any], items: Sequence[Any], index: int) -> _Reply:
    try:
        return _Reply(index, work(items[index]))
    except Exception as error:
        from traceback import format_exc

        error.add_note(f"in a process for files:\n{format_exc()}")
        return _Reply(index, None, error)
