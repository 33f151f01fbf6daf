"""A parsed document that knows where each of its values stands, and plain data of any shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Path, Span

MISSING: Final = object()
"""Stands for a value that is not there."""


def value_at(data: Any, path: Iterable[str | int], default: Any = None) -> Any:
    """Return the value at a path, or the default if nothing is there."""
    for step in path:
        if isinstance(data, dict):
            data = data.get(step, MISSING)
        elif isinstance(data, list) and isinstance(step, int) and step < len(data):
            data = data[step]
        else:
            return default
        if data is MISSING:
            return default
    return data


def copied(value: Any) -> Any:
    """Return a copy whose mappings can be changed one by one; scalars are shared."""
    if isinstance(value, dict):
        return {key: copied(each) for key, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML or JSON document.

    `data` holds dicts, lists, None, `Plain` for unquoted scalars and `str` for quoted ones.
    """

    file: str
    """The file's name as the user gave it; `<stdin>` and the like where there is none."""
    text: str
    """The text of the whole file, for excerpts."""
    data: Any
    values: Mapping[Path, Span]
    """Path -> span of the value there."""
    keys: Mapping[Path, Span]
    """Path -> span of the mapping key that leads there."""
    aliases: Mapping[Path, Span] = field(default_factory=dict)
    """Path of a value that is written as an alias -> span of the alias. In `values` it has the span
    of what it stands for.
    """
    substitutes: Mapping[Path, tuple[str, ...]] = field(default_factory=dict)
    """Path of a text with references to parameters -> what stands in place of each, in order."""
    unsure: frozenset[Span] = frozenset()
    """Places of scalars that are not known yet, since they need a parameter without a value."""
    has_sure_counts: bool = True
    """Whether none of these says how many there are of something."""
    origins: Mapping[Span, Mapping[Span, str]] = field(default_factory=dict)
    """Place of a scalar with values of parameters in it -> place of each reference there -> words
    that say what stands in its place, and where that comes from.
    """

    def value(self, path: Path) -> Any:
        """Return the value at a path that is there."""
        value = self.data
        for step in path:
            value = value[step]
        return value

    def span(self, path: Path) -> Span:
        """Return the span of the value at `path`, or of the nearest part above it."""
        return self._nearest(self.values, path)

    def key_span(self, path: Path) -> Span:
        """Return the span of the key that leads to `path`, or of the nearest value above."""
        return self.keys.get(path) or self._nearest(self.values, path)

    def substitutes_at(self, path: Path) -> tuple[str, ...]:
        """Return what stands in place of the references to parameters in the text at a path.

        As for `span`, the path may be a step deeper than what is written.
        """
        if not self.substitutes:
            return ()
        lengths = range(len(path), 0, -1)
        written = next((path[:length] for length in lengths if path[:length] in self.values), ())
        return self.substitutes.get(written, ())

    def is_sure(self, span: Span | None) -> bool:
        """Return whether what stands at a place is known, so that it can be judged."""
        return span is None or not any(each.covers(span) for each in self.unsure)

    def explained(self, finding: Finding) -> Finding:
        """Return a finding about the document with the origins of the parameters at its place."""
        words = dict.fromkeys(self._origins_at(finding.span)) if finding.span else {}
        if not words:
            return finding
        origins = "; ".join(words)
        if not finding.hint:
            return finding.replaced(hint=origins)
        end = "" if finding.hint.endswith((".", "?")) else "."
        return finding.replaced(hint=f"{finding.hint}{end} {origins}")

    def _origins_at(self, span: Span) -> Iterator[str]:
        """Iterate over the origins of the parameters that a scalar, or a part of one, refers to."""
        for scalar, references in self.origins.items():
            for reference, words in references.items() if scalar.covers(span) else ():
                if span.covers(reference) or reference.covers(span):
                    yield words

    @staticmethod
    def _nearest(spans: Mapping[Path, Span], path: Path) -> Span:
        for length in range(len(path), 0, -1):
            if found := spans.get(path[:length]):
                return found
        return spans[()]


def error_at(
    code: str,
    message: str,
    document: Document,
    path: Path,
    hint: str | None = None,
    *,
    key: bool = False,
) -> Finding:
    """Return an error about the value at a path, or about the key that leads to it."""
    span = document.key_span(path) if key else document.span(path)
    return make_finding(code, message, span, hint)
