"""The last line of a log, which mostly says why a program ended."""

from __future__ import annotations

from pathlib import Path


def last_line(path: Path) -> str:
    """Return the last line of a file that is not empty; '' if there is none, or no file."""
    try:
        lines = path.read_text(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(lines) if line.strip()), "")
