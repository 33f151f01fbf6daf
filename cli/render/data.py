"""Live resources in full, as JSON or YAML: one of them, or a list that is written as it is read."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator

from bai.runtime.jobs.records import LiveResource
from bai.runtime.live_wire import to_live_wire
from bai.runtime.provider.base import Provider


def shown_in_full(live: LiveResource, provider: Provider, form: str) -> str:
    """Return a resource as `json` or `yaml`, with all that is known of it."""
    wire = to_live_wire(live, provider)
    if form == "json":
        return json.dumps(wire, indent=2, ensure_ascii=False) + "\n"
    from bai.compiler.emit.yaml_form import yaml_text

    return yaml_text(wire)


def list_in_full(
    found: Iterable[LiveResource], provider: Provider, form: str, *, is_terminal: bool
) -> Iterator[str]:
    """Iterate over the pieces of a list as `json` or `yaml`.

    Args:
        found: the resources.
        provider: holds them.
        form: `json` or `yaml`.
        is_terminal: whether people read it, so that JSON is indented. Elsewhere each resource is a
            line, which takes a fraction of the time.
    """
    if form == "json":
        return _json_list(found, provider, indent=2 if is_terminal else None)
    return _yaml_list(found, provider)


def _json_list(
    found: Iterable[LiveResource], provider: Provider, indent: int | None
) -> Iterator[str]:
    encoder = json.JSONEncoder(ensure_ascii=False, indent=indent)
    before = "[\n"
    for live in found:
        text = encoder.encode(to_live_wire(live, provider))
        yield before + (textwrap.indent(text, " " * indent) if indent else text)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _yaml_list(found: Iterable[LiveResource], provider: Provider) -> Iterator[str]:
    from bai.compiler.emit.yaml_form import yaml_text

    is_empty = True
    for live in found:
        is_empty = False
        yield yaml_text([to_live_wire(live, provider)])
    if is_empty:
        yield yaml_text([])
