"""Misspelt references: texts that are nearly `${GROUP.NAME}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from bai.specs.reference_groups import GROUPS, one_of

# Every repetition is bounded, so that no text takes long.
_NEARLY: Final = re.compile(
    r"(?<![\\${])(?P<dollars>\${0,3})(?P<open>\{{1,2})(?P<before>[ \t]{0,20})"
    rf"(?P<group>{one_of(GROUPS)})"
    r"\.(?P<name>[\w./-]{1,200})(?P<after>[ \t]{0,20})"
)
_BRACE: Final = re.compile(r"[{}]")
_BRACKETS: Final = re.compile(
    rf"(?<![\\$])\$\{{(?P<group>{one_of(GROUPS)})"
    r"\[(?P<quote>['\"]?)"
    r"(?P<name>[A-Za-z][\w-]{0,200})"
    r"(?P=quote)\]\}"
)
_OTHER: Final = re.compile(
    r"(?<![\\$])\$\{(?:(?P<holder>env|environment|secrets?)\.(?P<variable>[A-Z_][A-Z0-9_]{0,200})"
    r"|(?:spec|metadata)\.[A-Za-z][\w.-]{0,200})\}"
)
_OTHER_LANGUAGE: Final = (" -c ", " -e ", "<<", "awk", "jinja", "f'", 'f"', "format")
"""Signs that braces in a text may belong to a program in another language."""


class MisspeltReference(NamedTuple):
    """A text that was meant as a reference."""

    start: int
    written: str
    group: str
    name: str
    problem: str
    """The end of the message that says what is wrong."""

    @property
    def meant(self) -> str:
        """The reference in its right form."""
        return f"${{{self.group}.{self.name}}}"

    @property
    def is_certain(self) -> bool:
        """Whether it can mean nothing else: no shell reads `${` with a name that has a dot."""
        return self.written.startswith("$")

    @property
    def is_closed(self) -> bool:
        """Whether it ends with a brace."""
        return self.written.endswith("}")


def misspelt_references(text: str) -> Iterator[MisspeltReference]:
    """Iterate over the misspelt references in a text, in its order."""
    for match in _NEARLY.finditer(text):
        dollars, opened, before, group, name, after = match.groups()
        closing = "}" * len(opened)
        closed = text.startswith(closing, match.end())
        if closed:
            written = match[0] + closing
        elif opened == "{" and dollars == "$" and _stays_open(text, match.end()):
            # A path below it may follow at once.
            name, written = name.rstrip("./-"), match[0].rstrip(" \t").rstrip("./-")
        else:
            continue
        if problem := _problem(dollars, opened, before + after, closed=closed):
            yield MisspeltReference(match.start(), written, group, name, problem)


def in_brackets(text: str) -> Iterator[tuple[re.Match[str], str, str]]:
    """Iterate over (match, group, name) of what looks like `${mounts[NAME]}`, or with quotes."""
    for match in _BRACKETS.finditer(text):
        if not may_be_set(text, match["group"]):
            yield match, match["group"], match["name"]


def to_others(text: str) -> Iterator[tuple[str, int, str | None, bool]]:
    """Iterate over what looks like `${env.NAME}`, `${secrets.NAME}` or `${spec.KEY}`.

    Yields:
        The text, its start, the name of the variable if it is one, and whether that is a secret.
    """
    for match in _OTHER.finditer(text):
        # What is in single quotes may be a program in another language.
        if text.count("'", 0, match.start()) % 2 == 0:
            is_secret = (match["holder"] or "").startswith("secret")
            yield match[0], match.start(), match["variable"], is_secret


def may_be_set(text: str, group: str) -> bool:
    """Return whether a command line seems to set a shell variable with the name of a group."""
    variable = group.partition(".")[0]
    setting = (f"{variable}=", f"{variable}+=", f"for {variable} ", "read ", "declare ", "mapfile ")
    return any(sign in text for sign in setting)


def may_be_program(text: str) -> bool:
    """Return whether a text seems to hold a program or template with braces of its own."""
    return any(sign in text for sign in _OTHER_LANGUAGE)


def _stays_open(text: str, at: int) -> bool:
    brace = _BRACE.search(text, at)
    return brace is None or brace[0] == "{"


def _problem(dollars: str, opened: str, blanks: str, *, closed: bool) -> str | None:
    if not closed:
        return "is not closed"
    if opened == "{{" and dollars:
        return "has two braces"
    if not dollars:
        return "is no reference"
    if len(dollars) > 1:
        return "has a $ too many"
    return "has blanks in its braces" if blanks else None
