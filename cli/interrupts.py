"""Ctrl-C: it ends a command once, and not in the middle of a step."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from bai.cli.exits import Exit

_MOST = 3
"""The Ctrl-C that ends the command at once, whatever it does."""


class _State:
    count = 0
    held = False


def install() -> None:
    """Handle Ctrl-C as this module says, unless it is ignored: in the background of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _handle)


def ignore() -> None:
    """Ignore Ctrl-C from now on: the command is done, and its exit code known."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def is_pending() -> bool:
    """Return whether Ctrl-C was pressed while it is held back."""
    return _State.count > 0


@contextmanager
def held() -> Iterator[None]:
    """Hold Ctrl-C back during a block.

    Raises:
        KeyboardInterrupt: at its end, if it was pressed.
    """
    _State.held = True
    try:
        yield
    finally:
        _State.held = False
    if _State.count:
        raise KeyboardInterrupt


def _handle(*_: object) -> None:
    _State.count += 1
    if _State.count >= _MOST:
        os._exit(Exit.INTERRUPTED)
    # Those after the first would interrupt what is said about it.
    if _State.count == 1 and not _State.held:
        raise KeyboardInterrupt
