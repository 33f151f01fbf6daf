"""Every code with its page, and the rule that finds it if there is one."""

from __future__ import annotations

import sys
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from bai.linter import pages
from bai.linter.pages.page import Page, read_page
from bai.linter.rules.registry import all_rules
from bai.linter.rules.rule import Rule
from bai.specs.codes import CODES, Code


class Entry(NamedTuple):
    """All that there is to know of a code."""

    code: Code
    page: Page
    rule: Rule | None
    """None where no rule of the linter finds it."""


@cache
def catalogue() -> dict[str, Entry]:
    """Return code -> entry, in the order of the codes.

    The page of a code is a Markdown file beside this module, or the docstring of the module of its
    rule.

    Raises:
        ValueError: a page is not as it must be, or a rule has no code in the table.
    """
    rules = {rule.code: rule for rule in all_rules()}
    if unknown := rules.keys() - CODES.keys():
        raise ValueError(
            f"rules without a line in the table of codes: {', '.join(sorted(unknown))}"
        )
    found = {}
    for code in CODES.values():
        rule = rules.get(code.code)
        found[code.code] = Entry(code, read_page(_text(code.code, rule), code.code), rule)
    return found


def _text(code: str, rule: Rule | None) -> str:
    file = files(pages) / f"{code}.md"
    if file.is_file():
        return file.read_text(encoding="utf-8").removeprefix("# ")
    return (rule and sys.modules[rule.check.__module__].__doc__) or ""
