"""`bai lint FILE...` without Typer.

Hooks run it at every commit, mostly for few files, and Typer takes longer to import than a file to
check. All other options are Typer's to read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from bai.cli.exits import Exit

_KNOWN_ONLY: Final = "--known-only"
_COMPLETION: Final = "_BAI_COMPLETE"
"""The variable by which a shell asks for completions."""


def quick_lint(words: Sequence[str]) -> Exit | None:
    """Run the command if it is `lint` with nothing but paths and `--known-only`.

    Args:
        words: the command line behind the program.

    Returns:
        the exit code; None if Typer must read the command line.

    Raises:
        ContextError, FindingsError: as `lint_files` does.
    """
    if not words or words[0] != "lint" or _COMPLETION in os.environ:
        return None
    paths = [word for word in words[1:] if word != _KNOWN_ONLY]
    if any(path.startswith("-") for path in paths):
        return None
    from bai.cli.lint_paths import defaults_of, lint_paths
    from bai.linter.driver.linter import Options

    known_only = len(paths) < len(words) - 1
    chosen = Options(defaults=lambda: defaults_of(None), known_only=known_only)
    return lint_paths(paths or ["."], chosen)
