"""Reading a table of bai.toml value by value, with messages that say where."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bai.specs.errors import ContextError
from bai.specs.names import nearest, suggestion

if TYPE_CHECKING:
    from bai.specs.toml_files import TomlFile

T = TypeVar("T", bound=str)
Homes = Mapping[str, Collection[str]]
"""Heading of a table -> the keys that may stand in it."""


class SettingsTable:
    """A table of a file. Nothing in it is checked before it is asked for.

    Whatever returns a value raises a ContextError if there is one that is not valid.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        folder: Path,
        keys: tuple[str, ...] = (),
        file: TomlFile | None = None,
    ) -> None:
        """Hold a table.

        Args:
            values: what it says.
            folder: what relative paths in it start from.
            keys: the way to it.
            file: the file that it stands in; None for one of the built-in context.
        """
        self.folder = folder
        self._values = values
        self._keys = keys
        self._file = file

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys that it has."""
        return iter(self._values)

    @property
    def heading(self) -> str:
        """What stands above it in the file: `[contexts.laptop.engine]`."""
        return f"[{dotted(self._keys)}]"

    def text(self, key: str) -> str | None:
        """Return a text, which is not empty; None if it is not there."""
        value = self._values.get(key)
        if value is not None and (not isinstance(value, str) or not value):
            raise self.wrong(key, "must be a string that is not empty")
        return value

    def texts(self) -> dict[str, str]:
        """Return all of the table, which has only texts."""
        return {key: text for key in self._values if (text := self.text(key))}

    def choice(self, key: str, *choices: T) -> T:
        """Return one of some texts; the first of them if it is not there."""
        value = self.text(key) or choices[0]
        for each in choices:
            if each == value:
                return each
        raise self.wrong(key, f"can't be {value!r} ({suggestion(value, choices)})")

    def count(self, key: str, default: int) -> int:
        """Return an integer of at least 1."""
        value = self._values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.wrong(key, "must be an integer of at least 1")
        return value

    def flag(self, key: str) -> bool:
        """Return whether a key is true; false if it is not there."""
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "must be true or false")
        return value

    def path(self, key: str) -> Path | None:
        """Return an absolute path; None if it is not there."""
        value = self.text(key)
        if value is None:
            return None
        try:
            return self.folder / Path(value).expanduser()
        except RuntimeError:
            # pathlib's word for a `~` whose user has no home folder.
            raise self.wrong(key, f"{value!r} names no home folder") from None

    def table(self, key: str) -> SettingsTable:
        """Return a table below this one; an empty one if it is not there."""
        value = self._values.get(key, {})
        if not isinstance(value, Mapping):
            example = f": [{dotted((*self._keys, key))}]"
            if isinstance(value, str) and value:
                example += f', and below that name = "{value}"'
            raise self.wrong(key, f"must be a table{example}")
        return SettingsTable(value, self.folder, (*self._keys, key), self._file)

    def check_keys(
        self, noun: str, valid: Collection[str], elsewhere: Callable[[], Homes] = dict
    ) -> None:
        """Check that it has no other keys than the valid ones.

        Args:
            noun: what has these keys, for the message.
            valid: the keys.
            elsewhere: returns the keys of other tables, for a key that belongs there.
        """
        for key in self._values:
            if key not in valid:
                raise self._unknown(key, noun, valid, elsewhere())

    def _unknown(self, key: str, noun: str, valid: Collection[str], homes: Homes) -> ContextError:
        for heading, keys in homes.items():
            if key in keys:
                return self._error(key, f"belongs in {heading}", at_key=True)
        hint = suggestion(key, valid)
        if nearest(key, valid) is None:
            for heading, keys in homes.items():
                if near := nearest(key, keys):
                    hint = f"did you mean {near} in {heading}?"
        return self._error(key, f"is no key of {noun} ({hint})", at_key=True)

    def wrong(self, key: str, message: str) -> ContextError:
        """Return the error for a value that is not valid: `FILE:LINE:COLUMN: KEY MESSAGE`."""
        return self._error(key, message)

    def _error(self, key: str, message: str, *, at_key: bool = False) -> ContextError:
        keys = (*self._keys, key)
        assert self._file, "an empty table has nothing wrong"
        place = self._file.key_place(*keys) if at_key else self._file.value_place(*keys)
        return ContextError(f"{place}: {dotted(keys)} {message}")


def dotted(keys: Collection[str]) -> str:
    """Return a key as TOML writes it."""
    return ".".join(
        key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)
        for key in keys
    )
