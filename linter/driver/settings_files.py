"""Finding the settings of `bai lint`.

A file's settings are those of the nearest folder, its own or one above it, that has a `bai.toml`
with a table `[lint]` or a `pyproject.toml` with `[tool.bai.lint]`; the first of the two if both
do. Settings of folders further up are not mixed in. (So does ruff.)
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bai.linter.driver.settings import Settings, SettingsError, parse
from bai.specs.errors import ContextError
from bai.specs.names import suggestion

if TYPE_CHECKING:
    from bai.specs.toml_files import TomlFile

FILE: Final = "bai.toml"
_PLACES = ((FILE, ("lint",)), ("pyproject.toml", ("tool", "bai", "lint")))
"""File, and the keys that lead to the table."""
_SIGNS: Final = (b"bai.", b"bai]", b"bai =", b"bai=", b"BAI")
"""One of them is in every pyproject.toml with settings of ours, right or misplaced."""


class Found(NamedTuple):
    """Settings, and the folder that their patterns are relative to."""

    settings: Settings
    folder: Path
    source: Path | None
    """The file that they stand in; None where there is none."""

    def wants(self, code: str, file: str | Path) -> bool:
        """Return whether findings of a code are reported for a file."""
        return self.settings.wants(code, self._relative(file))

    def excludes(self, file: str | Path) -> bool:
        """Return whether a file is not checked."""
        return bool(self.settings.exclude) and self.settings.excludes(self._relative(file))

    def _relative(self, file: str | Path) -> str:
        # Links are not followed: a file is where its user says it is.
        return os.path.relpath(file, self.folder)


def no_settings(folder: str) -> Found:
    """Return the default settings, for the files in a folder without settings."""
    return Found(Settings(), Path(folder), None)


class SettingsFinder:
    """Finds the settings of files, and looks into every folder once."""

    def __init__(self) -> None:
        """Start without settings; nothing is read yet."""
        self._folders: dict[str, Found | None] = {}
        self._found: dict[str, Found] = {}

    def of(self, file: Path) -> Found:
        """Return the settings of a file, which need not exist.

        Raises:
            ContextError: they are not valid.
        """
        return self.below(os.path.dirname(os.path.abspath(file)))  # noqa: PTH100, PTH120

    def below(self, folder: str) -> Found:
        """Return the settings of the files in a folder, given with its absolute path.

        Raises:
            ContextError: they are not valid.
        """
        if folder not in self._found:
            self._found[folder] = self._of(folder) or no_settings(folder)
        return self._found[folder]

    def _of(self, folder: str) -> Found | None:
        passed = []
        found = None
        while folder not in self._folders:
            passed.append(folder)
            above = os.path.dirname(folder)  # noqa: PTH120
            if (found := self._look(Path(folder))) or above == folder:
                break
            folder = above
        found = found or self._folders.get(folder)
        self._folders |= dict.fromkeys(passed, found)
        return found

    def _look(self, folder: Path) -> Found | None:
        for name, keys in _PLACES:
            toml = _read(folder / name)
            table: Any = toml.data if toml else None
            for key in keys:
                table = table.get(key) if isinstance(table, Mapping) else None
            if toml is None or table is None:
                continue
            where = ".".join(keys)
            if not isinstance(table, Mapping):
                raise ContextError(f"{toml.value_place(*keys)}: {where}: expected a table")
            try:
                return Found(parse(table), folder, toml.path)
            except SettingsError as error:
                place = toml.key_place(*keys, *error.key.split(".", 1))
                raise ContextError(f"{place}: {where}.{error}") from None
        return None


def _read(path: Path) -> TomlFile | None:
    """Return a file that may have settings of ours; None if there is none.

    Raises:
        ContextError: the file is not valid, or has settings of the linter elsewhere.
    """
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ContextError(f"can't read {path}: {error.strerror}") from None
    is_ours = path.name == FILE
    # Most projects have a pyproject.toml, and few of them have settings for bai in it.
    if not is_ours and not any(sign in content for sign in _SIGNS):
        return None
    from bai.specs.toml_files import TomlFile, check_tables

    file = TomlFile(path, content)
    if is_ours:
        check_tables(file)
    else:
        _check_project(file)
    return file


def _check_project(file: TomlFile) -> None:
    """Check that a pyproject.toml has settings of the linter in their own table only.

    Raises:
        ContextError: it has some elsewhere.
    """
    data = file.data
    tools = data.get("tool")
    ours = tools.get("bai") if isinstance(tools, Mapping) else None
    for key in ours if isinstance(ours, Mapping) else ():
        if key != "lint":
            where, hint = file.key_place("tool", "bai", key), suggestion(key, ["lint"])
            raise ContextError(f"{where}: unknown key {key!r} in [tool.bai] ({hint})")
    if isinstance(stray := data.get("bai"), Mapping) and "lint" in stray:
        where = file.key_place("bai", "lint")
        raise ContextError(f"{where}: the table [bai.lint] must be called [tool.bai.lint] here")
    # Other linters have such a table in files of their own, but no codes like ours.
    if isinstance(stray := data.get("lint"), Mapping) and "'BAI" in repr(stray):
        where = file.key_place("lint")
        raise ContextError(f"{where}: the table [lint] must be called [tool.bai.lint] here")
