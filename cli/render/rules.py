"""The page of a finding's code."""

from __future__ import annotations

import textwrap
from typing import IO

from bai.cli.render.style import Style
from bai.cli.render.width import terminal_width, wrap
from bai.linter.pages.page import FRAMES, Example, Page
from bai.specs.codes import Code
from bai.specs.findings import Severity

_WIDEST = 90
"""Columns beyond which lines of text are tiring to read."""


def print_page(code: Code, page: Page, file: IO[str]) -> None:
    """Print the page of a finding, as wide as the terminal allows."""
    style = Style(file)
    width = min(terminal_width(), _WIDEST)
    colour = "red" if code.severity is Severity.ERROR else "yellow"
    head = style(f"{code.severity.value} {code.code}", colour, "bold")
    lines = [f"{head} {style(code.title, 'bold')}", "", wrap(page.sentence, width)]
    for paragraph in page.paragraphs:
        lines += ["", wrap(paragraph, width)]
    for word, colour, example in (("Wrong", "red", page.wrong), ("Right", "green", page.right)):
        lines += ["", *_example(style(word, colour, "bold"), example)]
    lines += ["", f"Found by {code.stage.commands}."]
    file.write("\n".join(lines) + "\n")


def _example(word: str, example: Example) -> list[str]:
    where = FRAMES[example.frame]
    text = textwrap.indent(example.shown.rstrip("\n"), "    ")
    return [f"{word}{', ' if where else ''}{where}:", "", text]
