"""From violations to findings: their places in the user's file, and their fixes."""

from __future__ import annotations

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
    if span and violation.edits:
        from bai.specs.source.inner_edits import inner_fix

        path = _path(place)
        whole = resource.places.span(path) if resource.places else None
        if whole:
            text = resource.text(*path) or ""
            fix = inner_fix(whole, resource.source, text, violation.edits)
    elif isinstance(place, Part) and span and _is_spelled(place.text, span):
        fix = Fix.replace(span, place.replacement) if place.replacement is not None else None
    return make_finding(code, violation.message, span, violation.hint, fix)


def _is_spelled(part: str, span: Span) -> bool:
    """Return whether a span is that of the part, and not of a value that spells it otherwise."""
    return span.end_line == span.line and span.end_column - span.column == len(part)


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
    if isinstance(place, Range):
        from bai.specs.source.places import inner_span

        text = resource.text(*place.path) or ""
        return inner_span(span, resource.source, text, place.start, place.end)
    if isinstance(place, Part):
        from bai.specs.source.places import narrow

        return narrow(span, resource.source, place.text)
    return span
