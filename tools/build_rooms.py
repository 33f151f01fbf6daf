"""Draw the rooms of the code in docs/rooms.md: their parts, sizes, and what imports what.

python tools/build_rooms.py            write the file
python tools/build_rooms.py --check    exit 1 if imports differ from the drawing, or sizes far
"""

from __future__ import annotations

import re
import sys
import textwrap
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import zip_longest
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs/rooms.md"
PACKAGE = "bai"
OWN = "."
"""The part of a room that its own modules make, beside its packages."""
SIBLINGS, ROOMS = 36, 38
"""Width of the columns of what is imported from the same room, and from others."""
SIZE = re.compile(r" +(\d[\d,]*)")
FAR = 0.25
"""How much of its size a part may gain or lose before it is drawn anew."""
HEAD = """\
# The rooms, drawn from their imports

A room imports only rooms drawn below it, and so does a part of a room; linter and runtime stand
side by side, as do schemas and specs. Beside a part are its lines of code, the parts of its room
that it imports, and the other rooms. `.` are the modules of a room that are in none of its
packages: some are above the packages and some below, and have one line here.

`make check` holds the code to this; `docs/architecture.md` says what the rooms are for.

This file is made by `python tools/build_rooms.py`.

"""


class Code:
    """The modules of the package, with their sizes and imports."""

    def __init__(self) -> None:
        self._graph = grimp.build_graph(PACKAGE, cache_dir=None)
        children = self._graph.find_children(PACKAGE)
        self._rooms = {child for child in children if (ROOT / child.split(".")[1]).is_dir()}
        self.lines: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        """Room -> part -> lines."""
        self.siblings: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        """Room -> part -> the parts of the room that it imports."""
        self.others: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        """Room -> part -> the other rooms that it imports."""
        for module in self._graph.modules:
            self._add(module)

    def _add(self, module: str) -> None:
        room, part = self._place(module)
        self.lines[room][part] += _file(room, module).read_bytes().count(b"\n")
        for imported in self._graph.find_modules_directly_imported_by(module):
            other, its_part = self._place(imported)
            if other != room:
                self.others[room][part].add(other)
            elif its_part != part:
                self.siblings[room][part].add(its_part)

    def _place(self, module: str) -> tuple[str, str]:
        """Return the room and the part that a module belongs to."""
        room = ".".join(module.split(".")[:2])
        if room not in self._rooms:
            room = PACKAGE
        part = ".".join(module.split(".")[: room.count(".") + 2])
        is_package = part != room and self._graph.find_children(part)
        name = "api" if room == PACKAGE else room.split(".")[1]
        return name, part.split(".")[-1] if is_package else OWN


def _file(room: str, module: str) -> Path:
    below = module.split(".")[1 if room == "api" else 2 :]
    path = ROOT.joinpath(room, *below)
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def rooms() -> Iterator[str]:
    """Yield the rooms from the top down, in the order of the first contract in pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    for layer in project["tool"]["importlinter"]["contracts"][0]["layers"]:
        names = re.split(r"\s*[|:]\s*", layer)
        yield from names if (ROOT / names[0]).is_dir() else ["api"]


def ordered(imported: Mapping[str, set[str]]) -> list[str]:
    """Return the parts of a room, its own modules first, then each above what it imports.

    Raises:
        CycleError: some parts import each other.
    """
    graph = {part: others - {OWN} for part, others in sorted(imported.items()) if part != OWN}
    height: dict[str, int] = {}
    for part in TopologicalSorter(graph).static_order():
        height[part] = max((height[other] + 1 for other in graph[part]), default=0)
    own = [part for part in imported if part == OWN]
    return own + sorted(graph, key=lambda part: (-height[part], part))


def drawn(code: Code, room: str) -> Iterator[str]:
    """Yield the lines that draw a room."""
    lines = code.lines[room]
    title = f"─ {room} {sum(lines.values()):>{21 - len(room)},} lines "
    width = SIBLINGS + ROOMS + 25
    try:
        parts = ordered({part: code.siblings[room][part] for part in lines})
    except CycleError:
        parts = sorted(lines)
        title += "─ some parts import each other: in no order "
    yield f"┌{title:─<{width}}┐"
    for part in parts:
        size = f"{part:12} {lines[part]:>7,}"
        siblings = _wrapped(code.siblings[room][part], SIBLINGS)
        others = _wrapped(code.others[room][part], ROOMS)
        for start, middle, end in zip_longest([size], siblings, others, fillvalue=""):
            yield f"│ {start:20}  {middle:{SIBLINGS}} {end:{ROOMS}}│"
    yield f"└{'─' * width}┘"


def _wrapped(names: set[str], width: int) -> list[str]:
    lines = textwrap.wrap(" ".join(sorted(names)), width - 2)
    return [f"{'  ' if number else '→ '}{line}" for number, line in enumerate(lines)]


def build() -> str:
    """Return the text of the file."""
    code = Code()
    body = "\n".join(line for room in rooms() for line in drawn(code, room))
    return f"{HEAD}```text\n{body}\n```\n"


def is_current(text: str, kept: str) -> bool:
    """Return whether a kept drawing has the same imports, and sizes near those of the code."""
    if SIZE.sub("", text) != SIZE.sub("", kept):
        return False
    sizes = [[int(size.replace(",", "")) for size in SIZE.findall(each)] for each in (text, kept)]
    return all(abs(new - old) <= max(100, FAR * old) for new, old in zip(*sizes, strict=True))


def main() -> int:
    """Write or check the file."""
    text = build()
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, "utf-8")
    elif not FILE.exists() or not is_current(text, FILE.read_text("utf-8")):
        print(f"{FILE} is not current: run python tools/build_rooms.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
