"""From violations to findings: their places in the user's file, and their fixes."""

from __future__ import annotations

from collections.abc import Sequence

from bai.compiler.resources.words import Line
from bai.linter.resource_view import ResourceView
from bai.linter.violation import Key, Part, Place, Range, Violation
from bai.specs.codes import make_finding
from bai.specs.findings import Finding, Fix, Path, Span


def report(code: str, resource: ResourceView, violation: Violation) -> Finding:
    """Return the finding for a violation of the rule of a code.

    Args:
        code: the rule's.
        resource: what the rule checked.
        violation: what it found; without a span where the places of the resource are not known.
    """
    place = violation.place
    span = _span(resource, place)
    fix = violation.fix
    line = resource.lines.get(_path(place))
    if span and violation.edits:
        fix = _inner_fix(resource, _path(place), line, violation.edits)
    elif isinstance(place, Part) and span and _is_spelled(place.text, span, resource.source):
        fix = Fix.replace(span, place.replacement) if place.replacement is not None else None
    return make_finding(code, violation.message, span, violation.hint, fix)


def _inner_fix(
    resource: ResourceView, path: Path, line: Line | None, edits: Sequence[tuple[int, int, str]]
) -> Fix | None:
    """Return the fix that changes ranges of the text at a path, if the source is as plain as that.

    Args:
        resource: what has the text.
        path: the text's path.
        line: the text as a line of words, if that is what was written.
        edits: for each range its start, its end, and the new text.
    """
    from bai.specs.source.inner_edits import inner_fix

    source = resource.source
    if line is None:
        whole = resource.places.span(path) if resource.places else None
        put_in = resource.substitutes_at(path)
        return whole and inner_fix(whole, source, resource.text(*path) or "", edits, put_in)
    for word in line.words:
        is_bare = line.text[word.start : word.end] == word.value
        if is_bare and all(word.start <= start <= end <= word.end for start, end, _ in edits):
            moved = [(start - word.start, end - word.start, new) for start, end, new in edits]
            return inner_fix(word.span, source, word.value, moved, word.substitutes)
    return None


def _is_spelled(part: str, span: Span, source: str) -> bool:
    """Return whether a span is that of the part, and not of a value that spells it otherwise."""
    from bai.specs.source.places import text_at

    return span.end_line == span.line and text_at(source, span) == part


def _path(place: Place) -> Path:
    return place.path if isinstance(place, Key | Part | Range) else place


def _span(resource: ResourceView, place: Place) -> Span | None:
    if resource.places is None:
        return None
    if isinstance(place, Key):
        return resource.places.key_span(place.path)
    span = resource.places.span(_path(place))
    if span is None:
        return None
    if line := resource.lines.get(_path(place)):
        return _span_in_words(resource, line, place) or span
    if isinstance(place, Range):
        from bai.specs.source.places import inner_span

        text = resource.text(*place.path) or ""
        put_in = resource.substitutes_at(place.path)
        return inner_span(span, resource.source, text, place.start, place.end, put_in)
    if isinstance(place, Part):
        from bai.specs.source.places import narrow

        return narrow(span, resource.source, place.text)
    return span


def _span_in_words(resource: ResourceView, line: Line, place: Place) -> Span | None:
    """Return the span of a part of a line in the words that it was made of; None for all of it."""
    from bai.specs.source.places import inner_span, narrow

    if isinstance(place, Part):
        for word in line.words:
            if (found := narrow(word.span, resource.source, place.text)) != word.span:
                return found
        start = line.text.find(place.text)
        end = start + len(place.text)
    elif isinstance(place, Range):
        start, end = place.start, place.end
    else:
        return None
    words = line.within(start, end) if start >= 0 else ()
    if not words:
        return None
    first, last = words[0], words[-1]
    if first is not last:
        return first.span._replace(end_line=last.span.end_line, end_column=last.span.end_column)
    begin = first.origins[max(start, first.start) - first.start]
    stop = first.origins[min(end, first.end) - first.start - 1] + 1
    return inner_span(first.span, resource.source, first.value, begin, stop, first.substitutes)
