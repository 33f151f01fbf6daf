"""Comments that are nearly suppressions: `# bai: ignor[BAI203]`, `# BAI: ignore[BAI203]`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from bai.specs.codes import CODES, make_finding
from bai.specs.findings import Finding, Fix, Span
from bai.specs.names import nearest

MISSPELT: Final = "BAI904"
"""A comment that is meant to suppress findings, and does not."""

_DIRECTIVES: Final = ("ignore", "ignore-file")
_OTHER_TOOLS: Final = {
    **dict.fromkeys(("allow", "disable", "noqa", "nolint", "skip", "suppress"), "ignore"),
    "disable-file": "ignore-file",
}
"""What other linters call it -> its name here."""
# All repeats are bounded, so that it stays linear.
_CODES: Final = (
    r"[ \t]{0,4}(?P<open>[\[(]?)[ \t]{0,4}"
    r"(?P<codes>BAI\d{1,3}(?:[ \t]{0,4},[ \t]{0,4}BAI\d{1,3}){0,20})(?!\w)(?:[ \t]{0,4}[\])])?"
)
_MISSPELT: Final = (
    r"#[ \t]{0,4}bai[ \t]{0,4}(?P<colon>:?)[ \t]{0,4}(?P<word>[a-z][\w-]{2,20})" + _CODES
)


class MisspeltDirective(NamedTuple):
    """A comment, or its beginning, that is meant as a suppression."""

    start: int
    """Where it begins in its line, at `#`."""
    end: int
    """Where its codes end."""
    head: str
    """What stands before the codes."""
    directive: str
    """`ignore` or `ignore-file`."""
    codes: tuple[str, ...]

    @property
    def correction(self) -> str:
        """The suppression that it should be."""
        return f"# bai: {self.directive}[{', '.join(self.codes)}]"


def find_misspelt(line: str) -> Iterator[MisspeltDirective]:
    """Iterate over what looks like a suppression in a line; right ones are among them."""
    for match in re.finditer(_MISSPELT, line, re.IGNORECASE):
        if misspelt := _directive(match):
            yield misspelt


def misspelt_directive_at(line: str, start: int) -> MisspeltDirective | None:
    """Return the directive that begins at a place of a line."""
    match = re.compile(_MISSPELT, re.IGNORECASE).match(line, start)
    return match and _directive(match)


def _directive(match: re.Match[str]) -> MisspeltDirective | None:
    word = match["word"].lower()
    # Without colon and bracket it is a sentence: "bai ignores BAI203 in ...".
    if not (match["colon"] or match["open"] or word in _DIRECTIVES):
        return None
    directive = _OTHER_TOOLS.get(word) or nearest(word, _DIRECTIVES, cutoff=0.75)
    if directive is None:
        return None
    codes = tuple(re.findall(r"BAI\d+", match["codes"].upper()))
    head = match.string[match.start() : match.end("word")]
    return MisspeltDirective(match.start(), match.end(), head, directive, codes)


def fix_of(misspelt: MisspeltDirective, span: Span) -> Fix | None:
    """Return the fix that makes it a suppression, if there are findings of its codes."""
    if all(any(other.startswith(code) for other in CODES) for code in misspelt.codes):
        return Fix.replace(span, misspelt.correction)
    return None


def misspelt_findings(
    found: Sequence[tuple[int, MisspeltDirective]], file: str
) -> Iterator[Finding]:
    """Iterate over findings about misspelt directives, given with the numbers of their lines."""
    for number, misspelt in found:
        span = Span(file, number + 1, misspelt.start + 1, number + 1, misspelt.end + 1)
        message, hint = f"`{misspelt.head}` suppresses nothing", f"write {misspelt.correction}"
        fix = fix_of(misspelt, span)
        yield make_finding(MISSPELT, message, span, hint, fix)
