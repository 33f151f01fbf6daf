"""The command line of a Python script."""

from __future__ import annotations

import shlex

from bai.runtime.errors import SettingError
from bai.runtime.toolkits.task import Wire

ARGUMENTS = "commandLineArgs"
"""The wire key of most toolkits' arguments."""


def script_command(settings: Wire, arguments: str = ARGUMENTS) -> tuple[str, ...]:
    """Return interpreter, script and arguments.

    Args:
        settings: the toolkit's, in wire form.
        arguments: wire key of the arguments.

    Raises:
        SettingError: the arguments are no shell words (an open quote).
    """
    python = settings.get("pythonInterpreterPath") or "python"
    return (python, settings["pythonScriptFilePath"], *words(settings, arguments))


def words(settings: Wire, key: str = ARGUMENTS) -> list[str]:
    """Split the arguments behind a wire key as a shell does.

    Raises:
        SettingError: a quote is not closed.
    """
    text = settings.get(key) or ""
    try:
        return shlex.split(text)
    except ValueError:
        raise SettingError(
            key, f"the arguments {text!r} have a quote that does not close"
        ) from None
