"""Making another context of a bai.toml the current one, and leaving all else in it as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from bai.runtime.context import CURRENT, FILE, read_contexts
from bai.runtime.settings_table import dotted
from bai.specs.errors import ContextError
from bai.specs.names import suggestion
from bai.specs.replacing import replaced
from bai.specs.toml_files import BUILT_IN, TomlFile

_COMMENT_ON_FILE: Final = re.compile(r"(?:[ \t]*#[^\n]*\n)+(?:[ \t]*\r?\n)+")
"""Comments at the beginning with an empty line below: they are not about the first table."""


def use(name: str, start: Path) -> Path | None:
    """Write into the nearest bai.toml which context is the current one.

    Returns:
        The file; None if the context is the current one already, and nothing was written.

    Raises:
        ContextError: there is no such context or no bai.toml, or it is not valid.
    """
    contexts = read_contexts(start)
    if contexts.file is None and name != BUILT_IN:
        raise ContextError(
            f"there is no {FILE} in {start} or above it, so {BUILT_IN} is the only context: "
            f"write one, with a table [{dotted(('contexts', name))}]"
        )
    if name not in contexts.by_name:
        hint = suggestion(name, contexts.by_name)
        raise ContextError(f"there is no context {name!r} ({hint})")
    if contexts.file is None or contexts.file.data.get(CURRENT) == name:
        return None
    path = contexts.file.path
    # A link to the file stays one.
    target = path.resolve()
    content = _edited(contexts.file, name)
    with replaced(target) as written:
        written.write_bytes(content)
        written.chmod(target.stat().st_mode & 0o7777)
    return path


def _edited(file: TomlFile, name: str) -> bytes:
    """Return the file's content with another current context."""
    text = file.text
    # A string of JSON is one of TOML, which wants DEL to be escaped as well.
    value = json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")
    place = file.places.get((CURRENT,))
    if place and place.value is not None:
        text = text[: place.value] + value + text[place.end :]
    else:
        first = _COMMENT_ON_FILE.match(text)
        at = first.end() if first else 0
        end = "\r\n" if "\r\n" in text else "\n"
        text = f"{text[:at]}{CURRENT} = {value}{end}{end}{text[at:]}"
    content = text.encode()
    assert TomlFile(file.path, content).data == file.data | {CURRENT: name}
    return content
