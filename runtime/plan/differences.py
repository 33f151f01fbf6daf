"""How two wire forms, or two parts of specs, differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bai.specs.findings import Path

MISSING: Any = None
"""Stands for a value that one side does not have; no wire form contains None."""

_KEYED = {
    "azureFileShares": "relativeMountPath",
    "azureBlobFileSystems": "relativeMountPath",
    "fileServers": "relativeMountPath",
    "unmanagedFileSystems": "relativeMountPath",
    "inputDirectories": "id",
    "outputDirectories": "id",
    "environmentVariables": "name",
    "secrets": "name",
}
"""Lists whose entries are known by a key, so that an insertion is one difference."""
_DEFAULTS: Final[dict[Path, Any]] = {
    ("properties", "scaleSettings", "manual", "nodeDeallocationOption"): "requeue"
}
"""Path -> what it means that nothing stands there."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is not the same on both sides."""

    path: Path
    before: Any
    """The live value; MISSING if there is none."""
    after: Any
    """The desired value; MISSING if it goes."""

    @property
    def place(self) -> str:
        """The path in one word, without the `properties` that everything is under."""
        return ".".join(map(str, self.path)).removeprefix("properties.")

    def __str__(self) -> str:
        return f"{self.place}: {self.before!r} -> {self.after!r}"


def compare(before: Any, after: Any, path: Path = ()) -> Iterator[Difference]:
    """Iterate over the differences between two wire forms, in the order of the keys."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from compare(before.get(key), after.get(key), (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        key = _KEYED.get(str(path[-1])) if path else None
        left, right = _by_key(before, key), _by_key(after, key)
        yield from compare(left, right, path)
    else:
        default = _DEFAULTS.get(path)
        values = [default if value is None else value for value in (before, after)]
        if values[0] != values[1] or type(values[0]) is not type(values[1]):
            yield Difference(path, before, after)


def _by_key(items: list[Any], key: str | None) -> dict[Any, Any]:
    if key is not None and all(isinstance(item, dict) for item in items):
        names = [item.get(key) for item in items]
        if all(isinstance(name, str) for name in names) and len(set(names)) == len(names):
            return dict(zip(names, items, strict=True))
    return dict(enumerate(items))


def without_defaults(wire: Mapping[str, Any]) -> dict[str, Any]:
    """Return a wire form without the values that mean the same as none."""
    return _without_defaults(wire, ())


def _without_defaults(wire: Mapping[str, Any], path: Path) -> dict[str, Any]:
    return {
        key: _without_defaults(value, (*path, key)) if isinstance(value, dict) else value
        for key, value in wire.items()
        if value != _DEFAULTS.get((*path, key), MISSING) or value is MISSING
    }
