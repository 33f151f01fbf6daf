"""The command line of a Python script."""

from __future__ import annotations

import shlex

from bai.runtime.errors import LaunchError
from bai.runtime.toolkits.task import Wire


def script_command(settings: Wire, arguments: str | None) -> tuple[str, ...]:
    """Return interpreter, script and arguments.

    Raises:
        LaunchError: the arguments are no shell words (an open quote).
    """
    python = settings.get("pythonInterpreterPath") or "python"
    return (python, settings["pythonScriptFilePath"], *words(arguments))


def words(arguments: str | None) -> list[str]:
    """Split arguments as a shell does.

    Raises:
        LaunchError: a quote is not closed.
    """
    try:
        return shlex.split(arguments or "")
    except ValueError:
        raise LaunchError(f"the arguments {arguments!r} have a quote that does not close") from None
