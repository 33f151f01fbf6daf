"""Exit codes."""

from __future__ import annotations

from enum import IntEnum


class UnreadError(Exception):
    """Nobody reads the output any more. A BrokenPipeError would not get past typer."""


class Exit(IntEnum):
    """What a command's exit code means."""

    OK = 0
    FAILED = 1
    """A job failed, findings were found, two sides differ, or not all was copied."""
    USAGE = 2
    """The command, the configuration or the spec is wrong; nothing was done."""
    INTERNAL = 3
    """bai itself failed."""
    INTERRUPTED = 130
    """Ctrl-C. What runs goes on."""
    UNREAD = 141
    """Nobody reads the output to its end (`| head`): what SIGPIPE makes of other programs.

    What runs goes on.
    """
