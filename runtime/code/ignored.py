"""What stays out of a snapshot: what .gitignore and .baiignore say, and what no job needs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_OWN: Final = ".baiignore"
_FILES: Final = (".gitignore", _OWN)
"""In one folder, what the second one says counts more."""
_FOLDERS: Final = frozenset({".git", ".bai", "__pycache__"})
_SETTINGS: Final = ("bai.toml", _OWN)
_REPORT: Final = ".report.html"
_YAML: Final = (".yaml", ".yml")
_SPEC: Final = re.compile(rb"^apiVersion:[ \t]*[\"']?bai/", re.MULTILINE)
_MOST: Final = 1 << 20
"""Bytes of a YAML file that are looked at."""


class IgnoreRules:
    """The rules of one folder and of those above it."""

    def __init__(self, folder: str, above: IgnoreRules | None = None) -> None:
        """Read the files of a folder."""
        self._folder = folder
        self._above = above
        self._rules = _read(folder)

    @classmethod
    def of(cls, folder: str) -> IgnoreRules:
        """Return the rules of a folder, with those of its git repository around it."""
        path = Path(folder)
        # Path's own `exists` raises where a folder can't be entered.
        above = (each for each in (path, *path.parents) if os.path.exists(each / ".git"))  # noqa: PTH110
        repository = next(above, path)
        rules = cls(str(repository))
        for name in path.relative_to(repository).parts:
            rules = rules.below(name)
        return rules

    def below(self, name: str) -> IgnoreRules:
        """Return the rules of a folder in this one."""
        return IgnoreRules(os.path.join(self._folder, name), self)  # noqa: PTH118 - many files

    def leave_out(self, name: str, *, is_folder: bool) -> bool:
        """Return whether something in the folder stays out."""
        path, rules = f"{name}/" if is_folder else name, self
        while True:
            if rules._rules and (found := rules._rules.check_file(path).include) is not None:
                return found
            if rules._above is None:
                return False
            path = f"{os.path.basename(rules._folder)}/{path}"  # noqa: PTH119 - many files
            rules = rules._above


def _read(folder: str) -> GitIgnoreSpec | None:
    lines: list[str] = []
    for name in _FILES:
        try:
            lines += (Path(folder) / name).read_text("utf-8", "surrogateescape").splitlines()
        except OSError:
            continue
    if not lines:
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        # Git passes over patterns that are none.
        return GitIgnoreSpec.from_lines(filter(_is_pattern, lines))


def _is_pattern(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def is_never_code(entry: os.DirEntry[str], own: Iterable[str]) -> bool:
    """Return whether a file or folder is in no snapshot, whatever the rules say.

    It is bai's or git's own, a cache of Python, a virtual environment, a report, or a spec: neither
    a changed spec nor a report changes the code of all jobs, nor does a line that keeps one out.

    Args:
        entry: the file or folder.
        own: absolute paths of folders that bai itself and jobs write to.
    """
    if entry.is_symlink():
        return False
    if entry.is_dir():
        is_own = entry.name in _FOLDERS or entry.path in own
        return is_own or os.path.exists(f"{entry.path}/pyvenv.cfg")  # noqa: PTH110 - many files
    if entry.name in _SETTINGS or entry.name.endswith(_REPORT):
        return True
    return entry.name.endswith(_YAML) and _is_spec(entry.path)


def _is_spec(path: str) -> bool:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - many files
            return _SPEC.search(file.read(_MOST)) is not None
    except OSError:
        return False
