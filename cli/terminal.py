"""Standard input: questions on a terminal, and what is piped in."""

from __future__ import annotations

import sys
from typing import BinaryIO

import typer

from bai.cli.exits import Exit


def is_terminal() -> bool:
    """Return whether somebody can answer a question."""
    # None is what Python makes of a stream that is closed.
    return sys.stdin is not None and sys.stdin.isatty()


def confirm(question: str) -> None:
    """Ask a question on the terminal until the answer is yes or no; Enter is no.

    Raises:
        typer.Exit: the answer is no.
        KeyboardInterrupt: it is Ctrl-C.
    """
    out = sys.stdout if sys.stdout.isatty() else sys.stderr
    answer = None
    while answer not in ("y", "yes"):
        if answer in ("", "n", "no"):
            typer.echo("nothing was done", err=True)
            raise typer.Exit(Exit.USAGE)
        out.write(f"{question} [y/N]: ")
        out.flush()
        line = sys.stdin.readline()
        if not line:
            # Ctrl-D leaves the cursor behind the question.
            out.write("\n")
        answer = line.strip().lower()


def standard_input() -> BinaryIO:
    """Return standard input, for what is to be read in the place of a file.

    Raises:
        typer.BadParameter: it is closed.
    """
    if sys.stdin is None:
        raise typer.BadParameter(
            "standard input is closed: pipe something into it, or give the path of a file",
            param_hint="-",
        )
    return sys.stdin.buffer


def read_standard_input(limit: int = -1) -> bytes:
    """Read standard input to its end, or `limit` bytes.

    Raises:
        typer.BadParameter: it is closed, or can't be read.
    """
    try:
        return standard_input().read(limit)
    except OSError as error:
        message = f"can't read standard input: {error.strerror}"
        raise typer.BadParameter(message, param_hint="-") from None
