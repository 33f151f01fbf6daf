"""The command line of a Python script."""

from __future__ import annotations

import re
from typing import Final

from bai.runtime.errors import SettingError
from bai.runtime.toolkits.task import Wire

ARGUMENTS = "commandLineArgs"
"""The wire key of most toolkits' arguments."""
_PART: Final = re.compile(
    r"""(?P<blank>[ \t\r\n]+)
      | '(?P<single>[^']*)'
      | "(?P<double>(?:\\.|[^"\\])*)"
      | \\(?P<escaped>.)
      | (?P<bare>[^ \t\r\n'"\\]+)""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPED: Final = re.compile(r'\\(["\\`$\n])', re.DOTALL)
"""What a backslash protects between double quotes; before a line's end it takes that away."""


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

    A dollar sign that quotes protect from a shell is doubled, so that `expand` keeps it as well.

    Raises:
        SettingError: a quote is not closed.
    """
    text = settings.get(key) or ""
    found: list[str] = []
    word: str | None = None
    at = 0
    while at < len(text):
        match = _PART.match(text, at)
        if match is None:
            raise SettingError(key, f"the arguments {text!r} have a quote that does not close")
        at = match.end()
        if match["escaped"] == "\n":
            # It joins two lines.
            continue
        if match["blank"] is None:
            word = (word or "") + _without_quotes(match)
        elif word is not None:
            found.append(word)
            word = None
    return found if word is None else [*found, word]


def _without_quotes(match: re.Match[str]) -> str:
    if (single := match["single"]) is not None:
        return single.replace("$", "$$")
    if (double := match["double"]) is not None:
        return _ESCAPED.sub(lambda found: _protected(found[1]), double)
    if (bare := match["bare"]) is not None:
        return bare
    return _protected(match["escaped"])


def _protected(mark: str) -> str:
    return {"$": "$$", "\n": ""}.get(mark, mark)
