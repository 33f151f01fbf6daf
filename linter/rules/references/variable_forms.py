"""BAI415: a variable is written as `$NAME` or `${NAME}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai.variables import NAMES, TOOLKITS, directory
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Range, Violation
from bai.specs.findings import Path

_WRONG: Final = r"\$\(\s*(AZ_BATCH\w*)\s*\)|%(AZ_BATCH\w*)%|\$\{\{?\s+(AZ_BATCH\w*)\s*\}\}?"

_ESCAPED: Final = r"(?<![\\$])\$\$(?:\{(?P<braced>AZ_BATCH\w*)\}|(?P<bare>AZ_BATCH\w*))"


@rule("BAI415")
def variable_forms(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts if "AZ_BATCH" in resource.joined else ():
        if "AZ_BATCH" not in text:
            continue
        if "$$" in text and resource.is_expanded(path):
            yield from _escaped(path, text)
        # Nearly all texts end here: they have nothing that `_WRONG` needs.
        if not ("{" in text or "(" in text or "%" in text or text.startswith("AZ_")):
            continue
        if not resource.is_expanded(path):
            continue
        if (bare := _bare(text)) and _is_path(path):
            message = f"{bare} without a $ is a directory of that name"
            yield Violation(Part(path, bare), message, f"write ${bare}")
        for match in re.finditer(_WRONG, text):
            name = next(filter(None, match.groups()))
            message = f"{match[0]} does not stand for the variable"
            yield Violation(Part(path, match[0]), message, f"write ${name}")


def _escaped(path: Path, text: str) -> Iterator[Violation]:
    """Iterate over the violations of variables in a text that `$$` escapes by mistake."""
    for match in re.finditer(_ESCAPED, text):
        name = match["braced"] or match["bare"]
        is_known = name in NAMES or directory(name) is not None
        # A value that is set before the toolkit's own variables may leave them to the script.
        is_early = name in TOOLKITS and path[-1] == "value"
        # Text in single quotes may be for another shell.
        if is_known and not is_early and text.count("'", 0, match.start()) % 2 == 0:
            message = f"{match[0]} stays a text: $$ does not begin a variable"
            hint = f"write {match[0][1:]}"
            yield Violation(Range(path, *match.span()), message, hint)


def _bare(text: str) -> str | None:
    """Return the variable that a path begins with, if it lacks its `$`."""
    if not text.startswith("AZ_BATCH"):
        return None
    name = text.partition("/")[0]
    return name if name in NAMES or directory(name) else None


def _is_path(path: Path) -> bool:
    """Return whether the value is a file path, and not a command or free text."""
    key = str(path[-1])
    return key == "path" or key.endswith(("Path", "PathPrefix", "pathPrefix"))
