"""Resources in their wire form, compiled or from a file, as rules see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Protocol

from bai.compiler.batchai.expressions import is_expression
from bai.compiler.resources.ids import Kind, ResourceId
from bai.compiler.resources.texts import texts
from bai.specs.findings import Path, Span

if TYPE_CHECKING:
    from bai.compiler.resources.code import Code
    from bai.compiler.resources.words import Line
    from bai.specs.document import Document

_NONE: Final[Mapping[Path, tuple[str, ...]]] = {}
_AS_WRITTEN: Final = frozenset(("mountVolumes", "containerSettings", "pathSuffix"))
"""Keys of a job below which the service expands no variables."""


class Places(Protocol):
    """Where the values of a wire form stand in the user's file."""

    def span(self, path: Path) -> Span | None:
        """Return the span of the value at `path`, or of the nearest part above it."""

    def key_span(self, path: Path) -> Span | None:
        """Return the span of the key that leads to `path`, or of the nearest value above."""


# Every file makes these: a dataclass takes long to make, and a frozen one to fill.
class ResourceView:
    """One resource. Its wire form may have any shape: values of a wrong type read as missing."""

    def __init__(
        self,
        kind: Kind,
        wire: Any,
        id: ResourceId | None = None,
        places: Places | None = None,
        source: str = "",
        spec: Document | None = None,
        lines: Mapping[Path, Line] | None = None,
        substitutes: Mapping[Path, tuple[str, ...]] = _NONE,
        code: Code | None = None,
    ) -> None:
        """Wrap a resource.

        Args:
            kind: its kind.
            wire: JSON data, as the service takes it.
            id: None for Batch AI's own files, which have no ids.
            places: None where only the existence of violations is checked.
            source: the text that `places` are in.
            spec: the document that it was compiled from; None for Batch AI's own files.
            lines: the command lines and arguments that a spec has as lists of words.
            substitutes: as in a `Resource`.
            code: the folder of this machine that a job of a spec runs in.
        """
        self.kind = kind
        self.wire = wire
        self.id = id
        self.places = places
        self.source = source
        self.spec = spec
        self.lines = lines or {}
        self._substitutes = substitutes
        self.code = code
        walked = texts(wire if type(wire) is dict else {})
        self.texts: Sequence[tuple[Path, str]] = walked.found
        """(path, text) of every string, if the wire form is a mapping as it must be."""
        self.keys = walked.keys
        """All keys in the wire form, at any depth."""
        self.joined = "".join([f"\n{text}" for _, text in self.texts])
        """All strings, each behind a line end, for a fast search in all of them."""
        self.memo: dict[Callable[..., Any], Any] = {}
        """What `bai.linter.facts` found out about the resource, each once."""
        self._entries: dict[Path, Sequence[tuple[Path, dict[str, Any]]]] = {}

    @property
    def is_compiled(self) -> bool:
        """Whether it was compiled from a spec, where values have other names and short forms."""
        return self.id is not None

    @property
    def name(self) -> str:
        """The resource's name in quotes, for messages."""
        return repr(self.id.name) if self.id else "of the file"

    def get(self, *path: str | int) -> Any:
        """Return the value at a path, or None."""
        value = self.wire
        for step in path:
            if type(value) is dict:
                value = value.get(step)
            elif type(value) is list and type(step) is int and step < len(value):
                value = value[step]
            else:
                return None
        return value

    def text(self, *path: str | int) -> str | None:
        """Return the string at a path, or None if there is none."""
        value = self.get(*path)
        return value if isinstance(value, str) else None

    def literal(self, *path: str | int) -> str | None:
        """Return the string at a path; None if there is none, or it is a placeholder."""
        value = self.text(*path)
        return None if value is None or is_expression(value) or "<" in value else value

    def number(self, *path: str | int) -> int | None:
        """Return the integer at a path, or None if there is none."""
        value = self.get(*path)
        return value if type(value) is int else None

    def mapping(self, *path: str | int) -> dict[str, Any]:
        """Return the mapping at a path, or an empty one."""
        value = self.get(*path)
        return value if type(value) is dict else {}

    def entries(self, *path: str | int) -> Sequence[tuple[Path, dict[str, Any]]]:
        """Return (path, entry) of the mappings in the list at a path."""
        found = self._entries.get(path)
        if found is None:
            value = self.get(*path)
            listed = value if type(value) is list else ()
            found = [((*path, at), each) for at, each in enumerate(listed) if type(each) is dict]
            self._entries[path] = found
        return found

    def substitutes_at(self, path: Path) -> tuple[str, ...]:
        """Return what stands in the text at a path in place of references to parameters."""
        return self._substitutes.get(path, ())

    def texts_at(self, *keys: str) -> Iterator[tuple[Path, str]]:
        """Iterate over (path, text) of the strings behind keys, wherever they stand."""
        for key in keys:
            yield from self._by_key.get(key, ())

    @cached_property
    def _by_key(self) -> dict[str | int, list[tuple[Path, str]]]:
        found: dict[str | int, list[tuple[Path, str]]] = {}
        for item in self.texts:
            found.setdefault(item[0][-1], []).append(item)
        return found

    def is_expanded(self, path: Path) -> bool:
        """Return whether the service expands its variables in the text at a path."""
        if self.kind is Kind.JOB:
            return _AS_WRITTEN.isdisjoint(path)
        return self.kind is Kind.CLUSTER and "setupTask" in path

    @cached_property
    def variable_texts(self) -> tuple[list[tuple[Path, str]], list[tuple[Path, str]]]:
        """(path, text) of every string with a `$`.

        In two lists: those in which the service expands its variables, and the others.
        """
        expanded: list[tuple[Path, str]] = []
        others: list[tuple[Path, str]] = []
        for item in self.texts:
            if "$" in item[1]:
                (expanded if self.is_expanded(item[0]) else others).append(item)
        return expanded, others
