"""The comments of a YAML file, as opposed to text that looks like one."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Any

_BLOCKS = ("|", ">")
"""Styles of block scalars: their first line ends with a comment or nothing."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Which lines hold content, and where comments begin. Lines and columns count from 0."""

    contents: Sequence[tuple[int, int]]
    """First and last line of every run of content: a line, or those that one scalar joins."""
    comments: Set[tuple[int, int]]
    """The given places that stand in comments."""
    in_blocks: Set[tuple[int, int]]
    """Those that stand in the text of block scalars."""

    def run_at(self, line: int) -> tuple[int, int] | None:
        """Return the run of content that touches a line, or else the first one below it."""
        index = bisect_left(self.contents, line, key=lambda run: run[1])
        return self.contents[index] if index < len(self.contents) else None


def layout_of(text: str, places: Iterable[tuple[int, int]]) -> Layout:
    """Return which of the places (of a `#` each) stand in comments, and where content is.

    Args:
        text: valid YAML; lines end at a line feed. JSON and invalid YAML have no comments.
        places: lines and columns from 0, in their order.
    """
    import yaml

    nothing = Layout((), frozenset(), frozenset())
    if _is_json(text):
        return nothing
    ahead = deque(places)
    comments: set[tuple[int, int]] = set()
    in_blocks: set[tuple[int, int]] = set()
    runs: list[tuple[int, int]] = []
    try:
        for first, last, style in _contents(text):
            while ahead and ahead[0] < last:
                place = ahead.popleft()
                if place < first or (style in _BLOCKS and place[0] == first[0]):
                    comments.add(place)
                elif style in _BLOCKS:
                    in_blocks.add(place)
            # A block scalar's end is the start of the line below it.
            end = last[0] - 1 if last[1] == 0 and last[0] > first[0] else last[0]
            if runs and first[0] <= runs[-1][1]:
                runs[-1] = (runs[-1][0], max(end, runs[-1][1]))
            else:
                runs.append((first[0], end))
    except yaml.YAMLError:
        return nothing
    return Layout(runs, comments.union(ahead), in_blocks)


def _is_json(text: str) -> bool:
    from bai.specs.syntax.json_events import looks_like_json

    if not looks_like_json(text):
        return False
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _contents(text: str) -> Iterable[tuple[tuple[int, int], tuple[int, int], Any]]:
    """Yield start, end and style of the tokens that take up room, `---` and directives aside."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for token in yaml.scan(text, Loader=loader):
        start, end = token.start_mark, token.end_mark
        first, last = (start.line, start.column), (end.line, end.column)
        if first < last and not isinstance(token, (yaml.DocumentStartToken, yaml.DirectiveToken)):
            yield first, last, getattr(token, "style", None)
