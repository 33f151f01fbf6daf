"""The settings of a project: the table `lint` of its configuration.

[lint]
select = ["BAI2", "BAI601"]   # codes or prefixes of codes; all by default
ignore = ["BAI9"]             # of two that fit, the longer one decides
exclude = ["old/", "*.tmp.yaml"]

[lint.per-file-ignores]
"examples/**" = ["BAI803"]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from bai.specs.codes import CODES
from bai.specs.names import suggestion

KEYS: Final = ("select", "ignore", "per-file-ignores", "exclude")
_SYNTAX: Final = "BAI1"
"""Syntax errors are reported whatever the settings say."""


class SettingsError(ValueError):
    """A key or a value of the table is not valid; `str()` begins with the key."""

    def __init__(self, key: str, message: str) -> None:
        """Hold the key, which names a pattern as well below `per-file-ignores`, and the fault."""
        super().__init__(f"{key}: {message}")
        self.key, self.message = key, message


class Settings(NamedTuple):
    """Which files are checked and which findings are reported. Paths are relative, with slashes."""

    select: tuple[str, ...] = ("BAI",)
    """Prefixes of the codes that are reported."""
    ignore: tuple[str, ...] = ()
    """Prefixes of the codes that are not."""
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Pattern of file names -> prefixes of the codes that are not reported for them."""
    exclude: tuple[str, ...] = ()
    """Patterns of files and folders that are not checked."""

    def wants(self, code: str, path: str) -> bool:
        """Return whether findings of a code are reported for a file; syntax errors always are."""
        if code.startswith(_SYNTAX):
            return True
        if _longest(self.select, code) <= _longest(self.ignore, code):
            return False
        return not any(
            code.startswith(prefixes) and matches(pattern, path)
            for pattern, prefixes in self.per_file_ignores
        )

    def excludes(self, path: str) -> bool:
        """Return whether a file is not checked."""
        return any(matches(pattern, path) for pattern in self.exclude)


def parse(table: Mapping[str, Any]) -> Settings:
    """Return the settings in a table.

    Args:
        table: the table `lint`, as TOML gives it.

    Raises:
        SettingsError: a key, a type or a code is wrong.
    """
    for key in table:
        if key not in KEYS:
            raise SettingsError(key, f"there is no such key ({suggestion(key, KEYS)})")
    per_file = table.get("per-file-ignores", {})
    if not isinstance(per_file, Mapping):
        raise SettingsError("per-file-ignores", 'expected a table, like {"old/*" = ["BAI5"]}')
    return Settings(
        select=codes("select", table.get("select", ["BAI"])),
        ignore=codes("ignore", table.get("ignore", [])),
        per_file_ignores=tuple(
            (_pattern("per-file-ignores", pattern), codes(f"per-file-ignores.{pattern}", v))
            for pattern, v in per_file.items()
        ),
        exclude=tuple(_pattern("exclude", p) for p in _texts("exclude", table.get("exclude", []))),
    )


def codes(where: str, value: object) -> tuple[str, ...]:
    """Return codes, or prefixes of codes, if they are valid.

    Args:
        where: what the error message begins with.
        value: the user's value.

    Raises:
        SettingsError: it is no list of codes.
    """
    found = _texts(where, value)
    for code in found:
        if len(code) >= len("BAI") and any(other.startswith(code) for other in CODES):
            continue
        meant = code.upper()
        hint = f"did you mean {meant}?" if meant in CODES else "`bai rules` lists them"
        raise SettingsError(where, f"there is no code {code!r} ({hint})")
    return found


def _texts(where: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise SettingsError(where, "expected a list of strings")
    return tuple(value)


def _pattern(where: str, pattern: str) -> str:
    if not pattern or pattern.startswith("/"):
        message = "a pattern is relative to the folder of this file, and not empty"
        raise SettingsError(where, f"{pattern!r}: {message}")
    try:
        matches(pattern, "")
    except re.error as error:
        raise SettingsError(where, f"{pattern!r}: {error}") from None
    return pattern


def _longest(prefixes: Collection[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


_TOKEN = re.compile(r"(\*\*/|/\*\*$|\*\*|\*|\?|\[!?[^\]/]{1,100}+\])")
_PARTS = {"*": "[^/]*", "?": "[^/]", "**": ".*", "**/": "(?:.*/)?", "/**": "(?:/.*)?"}


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern names a file or a folder above it.

    Args:
        pattern: `*` and `?` stay within one name, `**` does not, `[ab]` is one of the characters.
            A pattern without a slash names a file or folder at any depth.
        path: relative, with slashes.

    Raises:
        re.error: the pattern has a range that runs backwards.
    """
    return bool(_compiled(pattern).fullmatch(path))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    pattern = pattern.removeprefix("./").rstrip("/")
    anywhere = "" if "/" in pattern else "(?:.*/)?"
    tokens = _TOKEN.split(pattern)
    return re.compile(f"{anywhere}{''.join(map(_regex, tokens))}(?:/.*)?", re.DOTALL)


def _regex(token: str) -> str:
    if token in _PARTS:
        return _PARTS[token]
    if token.startswith("[") and token.endswith("]"):
        negated = token.startswith("[!")
        inside = token[1 + negated : -1].replace("\\", "\\\\").replace("^", "\\^")
        return f"[{'^' * negated}{inside.replace('[', chr(92) + '[')}]"
    return re.escape(token)
