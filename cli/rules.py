"""bai rules."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options

if TYPE_CHECKING:
    from bai.linter.pages.page import Example, Page
    from bai.specs.codes import Code


def rules(
    code: Annotated[
        str, typer.Argument(help="A code, or how codes begin: BAI203, BAI5.", show_default=False)
    ] = "BAI",
    output: Annotated[str, options.output("table", "json", show_default=False)] = "table",
) -> None:
    """List all codes of findings, or explain one."""
    from bai.linter.pages.catalogue import catalogue

    prefix = code.upper() if code.upper().startswith("BAI") else f"BAI{code}"
    found = [entry for known, entry in catalogue().items() if known.startswith(prefix)]
    if not found:
        raise typer.BadParameter(_unknown(prefix, code), param_hint="CODE")
    single = is_code(prefix)
    if output == "json":
        data = [_data(each.code, each.page) for each in found]
        typer.echo(json.dumps(data[0] if single else data, indent=2, ensure_ascii=False))
    elif single:
        from bai.cli.render.rules import print_page

        print_page(found[0].code, found[0].page, sys.stdout)
    else:
        from bai.cli.render.table import print_table

        rows = [(each.code.code, each.code.severity.value, each.code.title) for each in found]
        print_table(("CODE", "SEVERITY", "TITLE"), rows, sys.stdout)


def is_code(text: str) -> bool:
    """Return whether a text has the form of a finding's code, in any case."""
    return re.fullmatch(r"BAI[0-9]{3}", text, re.IGNORECASE) is not None


def is_like_code(text: str) -> bool:
    """Return whether a text can only stand for codes: as many digits as you like, in any case."""
    return re.fullmatch(r"BAI[0-9]+", text, re.IGNORECASE) is not None


def _unknown(code: str, written: str) -> str:
    """Return the message for a code, or a prefix of codes, that no rule has."""
    from bai.linter.pages.catalogue import catalogue

    if not is_code(code):
        if is_like_code(code) and len(code) > len("BAI203"):
            return f"there is no finding {code}: codes are BAI and three digits, as BAI203"
        return f"no code begins with {written!r}; `bai rules` lists all"
    number = int(code[3:])
    near = sorted(catalogue(), key=lambda known: abs(int(known[3:]) - number))[:3]
    return f"there is no finding {code}; the nearest codes are {', '.join(sorted(near))}"


def _data(code: Code, page: Page) -> dict[str, object]:
    def example(part: Example) -> dict[str, str]:
        return {"partOf": part.frame, "text": part.shown}

    return {
        "code": code.code,
        "severity": code.severity.value,
        "title": code.title,
        "foundBy": code.stage.commands,
        "rule": page.rule,
        "why": "\n\n".join(page.paragraphs),
        "wrong": example(page.wrong),
        "right": example(page.right),
    }
