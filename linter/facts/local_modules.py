"""The modules that a script imports from its own folder, as far as they can be read."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from bai.linter.facts.scripts import Script
    from bai.linter.host import Files
    from bai.linter.python.module_facts import ModuleFacts
    from bai.linter.python.script_model import Import

_MOST: Final = 50
"""Modules of one script that are read."""
_LONGEST: Final = 200_000
"""Longer modules, in bytes, are not."""


class LocalModules(NamedTuple):
    """A script and the modules that it imports, directly and indirectly."""

    facts: Sequence[ModuleFacts]
    """What is known of the script, which comes first, and of each module that could be read."""
    complete: bool
    """Whether all else that they import is known to have nothing to do with Horovod."""

    @property
    def may_initialise(self) -> bool:
        """Whether anything but the script itself may initialise Horovod."""
        return (
            not self.complete
            or any(each.names_horovod for each in self.facts)
            or any(each.calls_init for each in self.facts[1:])
        )


def local_modules(script: Script, files: Files) -> LocalModules:
    """Return the facts about a script and its modules. Only its mounted folder is read."""
    return _Reader(script, files).read()


class _Reader:
    def __init__(self, script: Script, files: Files) -> None:
        self._script = script
        self._files = files
        self._seen = {script.file}
        self._todo = [script.file]
        self._complete = True

    def read(self) -> LocalModules:
        found = []
        while self._todo and self._complete:
            file = self._todo.pop(0)
            content = self._files.read(file, _LONGEST)
            facts = None if content is None else _facts(content)
            if facts is None or len(self._seen) > _MOST:
                self._complete = False
                break
            found.append(facts)
            for each in facts.imports:
                self._take(each, file, is_harmless=facts.is_harmless(each))
        return LocalModules(found, self._complete)

    def _take(self, wanted: Import, importer: str, *, is_harmless: bool) -> None:
        """Queue the files of an import for reading."""
        path = wanted.module.split(".") if wanted.module else []
        names = [wanted.name] if wanted.name else []
        folder = posixpath.dirname(importer if wanted.level else self._script.file)
        for _ in range(wanted.level - 1):
            folder = posixpath.dirname(folder)
        # The node has other files above the mounted folder.
        inside = posixpath.commonpath([folder, self._script.folder]) == self._script.folder
        modules = list(self._along(folder, path)) if inside else []
        found = inside and len(modules) == len(path)
        if found:
            last = posixpath.join(folder, *path)
            taken = [module for name in names for module in self._along(last, (name,))]
            # Names from a folder without `__init__.py` can only be modules.
            found = bool(modules and modules[-1]) or len(taken) == len(names)
            modules += taken
        self._complete = self._complete and (found or is_harmless)
        for module in modules:
            if module and module not in self._seen:
                self._seen.add(module)
                self._todo.append(module)

    def _along(self, folder: str, path: Sequence[str]) -> Iterator[str]:
        """Yield the file of each module on a path; an empty text for a folder without one."""
        for name in path:
            beside = posixpath.join(folder, f"{name}.py")
            folder = posixpath.join(folder, name)
            if self._files.names(folder) is not None:
                package = posixpath.join(folder, "__init__.py")
                yield package if self._files.exists(package) else ""
            elif self._files.exists(beside):
                yield beside
            else:
                return


@lru_cache(maxsize=64)
def _facts(content: bytes) -> ModuleFacts | None:
    from bai.linter.python.module_facts import module_facts

    return module_facts(content)
