"""Configuration files: read as TOML, with messages that say where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from bai.specs.errors import ContextError
from bai.specs.names import suggestion

BAI_TABLES: Final = ("contexts", "current-context", "lint")
"""Keys of bai.toml; `lint` is read by `bai lint` alone."""
BUILT_IN: Final = "local"
"""Name of the context that is always there."""
CONTEXT_TEXTS: Final = (
    "state",
    "storage",
    "launcher",
    "bind-to",
    "python",
    "resource-group",
    "workspace",
    "location",
    "subscription",
    "storage-account",
)
"""Keys of a context that are texts."""
CONTEXT_KEYS: Final = (*CONTEXT_TEXTS, "slots")


def parse_toml(content: bytes, file: Path) -> dict[str, Any]:
    """Return what a file says.

    Raises:
        ContextError: it is no TOML; the message begins with file, line and column.
    """
    import tomllib

    try:
        return tomllib.loads(content.decode())
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ContextError(f"{file}:{line}: this is no UTF-8, as TOML must be") from None
    except tomllib.TOMLDecodeError as error:
        raise ContextError(_placed(str(error), content, file)) from None


def check_tables(data: Mapping[str, Any], content: bytes, file: Path) -> None:
    """Check that a bai.toml has no other keys than those that it may have.

    Raises:
        ContextError: it has one; the message begins with file and line.
    """
    for key in data:
        if key in BAI_TABLES:
            continue
        where = place_of(content, file, key)
        if key == "tool":
            raise ContextError(f"{where}: [tool...] is for pyproject.toml; write [lint] here")
        hint = suggestion(key, BAI_TABLES)
        if key in CONTEXT_KEYS:
            hint = f"it belongs below [contexts.NAME]; the built-in context is {BUILT_IN}"
        raise ContextError(f"{where}: unknown key {key!r} ({hint})")


def place_of(content: bytes, file: Path, key: str, table: str = "") -> str:
    """Return the file and the line where a key first stands, as messages begin.

    Args:
        content: what the file holds.
        file: its name.
        key: the key; without a line of its own, the file alone is returned.
        table: name of a table; where it has a heading, the key is looked for below that.
    """
    text = content.decode("utf-8", "replace")
    heading = re.search(rf"^[ \t]*\[[ \t]*{re.escape(table)}[ \t]*\]", text, re.MULTILINE)
    name = rf"[\"']?{re.escape(key)}[\"']?(?![\w-])"
    line = re.compile(rf"^[ \t]*\[{{0,2}}[ \t]*(?:[\w.\"'-]+\.)?{name}", re.MULTILINE)
    found = line.search(text, heading.end() if table and heading else 0)
    return f"{file}:{text.count(chr(10), 0, found.start()) + 1}" if found else str(file)


def _placed(message: str, content: bytes, file: Path) -> str:
    """Return a message of tomllib's with its place at the beginning."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if found:
        return f"{file}:{found[2]}:{found[3]}: {found[1]}"
    last = content.rstrip().count(b"\n") + 1
    return f"{file}:{last}: {message.removesuffix(' (at end of document)')}, at the end of the file"
