"""Every code there is, with its page."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from bai.linter import rules
from bai.linter.pages.page import Page, read_page
from bai.linter.rules.rule import Rule


@cache
def catalogue() -> dict[str, tuple[Rule, Page]]:
    """Return code -> rule and page, in the order of the codes.

    Raises:
        ValueError: two rules share a code, or a page is not as it must be.
    """
    found: dict[str, tuple[Rule, Page]] = {}
    for info in pkgutil.walk_packages(rules.__path__, f"{rules.__name__}."):
        if info.ispkg or info.name.count(".") == rules.__name__.count(".") + 1:
            continue
        module = importlib.import_module(info.name)
        if rule := getattr(module, "RULE", None):
            if rule.code in found:
                raise ValueError(f"more than one rule has the code {rule.code}")
            found[rule.code] = rule, read_page(module.__doc__ or "", rule.code)
    return dict(sorted(found.items()))
