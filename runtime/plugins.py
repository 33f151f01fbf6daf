"""Parts of the runtime that are found by name: built-in ones, and those of other packages."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from bai.specs.names import listed, nearest

T = TypeVar("T")


class PluginError(LookupError):
    """There is no usable plugin of a name; `str()` says why, without the name."""


class Plugins(Generic[T]):
    """The plugins of one kind. One that nobody asks for is not imported."""

    def __init__(self, noun: str, kind: type[T], group: str, built_in: Mapping[str, str]) -> None:
        """Know where plugins are; nothing is imported yet.

        Args:
            noun: what one is called in messages.
            kind: the class of all of them.
            group: the entry points of packages that bring more.
            built_in: name -> "module:attribute".
        """
        self._noun = noun
        self._kind = kind
        self._group = group
        self._built_in = built_in

    def find(self, name: str) -> T:
        """Return a plugin by its name. Packages are asked only if no built-in one has it.

        Raises:
            PluginError: there is none, there are several, or it can't be loaded.
        """
        if name in self._built_in:
            module, _, attribute = self._built_in[name].partition(":")
            plugin = getattr(import_module(module), attribute)
        else:
            plugin = self._installed(name)
        if not isinstance(plugin, self._kind):
            kind = f"{self._kind.__module__}.{self._kind.__qualname__}"
            raise PluginError(f"its entry point names no {kind}")
        return plugin

    def names(self) -> tuple[str, ...]:
        """Return the names of all plugins, the built-in ones first."""
        from importlib.metadata import entry_points

        more = sorted(entry_points(group=self._group).names - self._built_in.keys())
        return (*self._built_in, *more)

    def _installed(self, name: str) -> Any:
        from importlib.metadata import entry_points

        found = list(entry_points(group=self._group, name=name))
        packages = " and ".join(sorted(point.dist.name for point in found if point.dist))
        if not found:
            names = self.names()
            near = nearest(name, names)
            hint = f"did you mean {near}? " if near else ""
            raise PluginError(f"there is no such {self._noun} ({hint}{listed(names)})")
        if len(found) > 1:
            raise PluginError(f"the packages {packages} both bring one")
        try:
            return found[0].load()
        except Exception as error:
            what = f"that of the package {packages} can't be loaded"
            raise PluginError(f"{what}: {type(error).__name__}: {error}") from error
