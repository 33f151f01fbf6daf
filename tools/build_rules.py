"""Write docs/rules.md from the pages of the rules.

python tools/build_rules.py            write the file
python tools/build_rules.py --check    exit 1 if the file is not current
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bai.linter.pages.catalogue import catalogue
from bai.linter.pages.page import FRAMES, Example, Page
from bai.specs.codes import CODES, GROUPS, Code

FILE = Path(__file__).parents[1] / "docs/rules.md"
HEAD = """\
# Findings

Every finding of `bai` has a code, which means one thing. `bai explain BAI203` shows a page of this
list in the terminal, and `bai rules` the list. The examples are run by the tests: the wrong ones
give this finding and no other, the right ones none.

This file is made from the pages in `linter/` by `python tools/build_rules.py`.
"""


def contents() -> Iterator[str]:
    """Yield the table of contents."""
    for digit, (group, about) in GROUPS.items():
        yield f"\n**[{group.capitalize()}](#{group})**: {about}\n"
        yield "\n| code | severity | finding |\n|---|---|---|\n"
        for code in CODES.values():
            if (name := code.code)[3] == digit:
                yield f"| [{name}](#{name.lower()}) | {code.severity} | {code.title} |\n"


def section(code: Code, page: Page) -> Iterator[str]:
    """Yield the section of one code."""
    yield f"\n### {code.code}\n\n**{code.severity.value.capitalize()}: {code.title}.**\n"
    for paragraph in (page.sentence, *page.paragraphs):
        yield f"\n{paragraph}\n"
    yield example("Wrong", page.wrong)
    yield example("Right", page.right)
    yield f"\nFound by {code.stage.commands}.\n"


def example(word: str, part: Example) -> str:
    """Return an example under a line that says what it is a part of."""
    where = f", {FRAMES[part.frame]}" if FRAMES[part.frame] else ""
    language = "json" if part.text.startswith("{") else "yaml"
    if part.frame == "shell":
        language = "sh"
    return f"\n{word}{where}:\n\n```{language}\n{part.shown}```\n"


def build() -> str:
    """Return the text of the file."""
    parts = [HEAD, *contents()]
    for digit, (name, _) in GROUPS.items():
        parts.append(f"\n## {name.capitalize()}\n")
        for code, entry in catalogue().items():
            if code[3] == digit:
                parts += section(entry.code, entry.page)
    return "".join(parts)


def main() -> int:
    """Write or check the file."""
    text = build()
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, "utf-8")
    elif not FILE.exists() or FILE.read_text("utf-8") != text:
        print(f"{FILE} is not current: run python tools/build_rules.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
