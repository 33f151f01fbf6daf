"""Every code with its page, and the rule that finds it if there is one."""

from __future__ import annotations

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

    Raises:
        FileNotFoundError, ValueError: a page is missing, or not as it must be.
        ValueError: a rule has no code in the table.
    """
    rules = {rule.code: rule for rule in all_rules()}
    if unknown := rules.keys() - CODES.keys():
        raise ValueError(f"codes that are not in the table: {', '.join(sorted(unknown))}")
    return {
        code.code: Entry(code, _page(code.code), rules.get(code.code)) for code in CODES.values()
    }


def _page(code: str) -> Page:
    return read_page((files(pages) / f"{code}.md").read_text(encoding="utf-8"), code)
