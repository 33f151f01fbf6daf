"""What holds of any bytes. Hypothesis and atheris both look for some of which it does not."""

from linting import lint

from bai.cli.render.formats import FORMATS, Run, writer
from bai.cli.render.sources import Sources
from bai.linter.environment import LintEnvironment
from bai.linter.fixes import apply_fixes
from bai.linter.suppressions.apply import apply
from bai.specs.codes import CODES as ALL_CODES
from bai.specs.source.lines import Lines
from bai.specs.source.plain_scalar import resolved
from bai.specs.syntax.characters import encoding_of
from bai.specs.syntax.fast_reader import read_fast
from bai.specs.syntax.reader import read

CODES = frozenset(ALL_CODES)


class Sink:
    """Takes output and forgets it."""

    def write(self, text):
        text.encode("utf-8", "surrogateescape")

    def isatty(self):
        return False


def check_lint(content):
    """Findings of any bytes have a known code and lie in the text, and can be written and fixed."""
    found = lint(content, "x", "/", LintEnvironment())
    encoding = encoding_of(content)
    text = content.decode(encoding, "replace")
    found = apply(found, text, "x", CODES)
    lines = Lines(text)
    for finding in found:
        span = finding.span
        assert finding.code in CODES or finding.code.startswith("BAI9"), finding
        assert finding.message, finding
        assert (span.line, span.column) <= (span.end_line, span.end_column), finding
        assert span.end_line <= len(lines) + 1, finding
        lines.offset(span.line, span.column)
    for name in FORMATS:
        writer(name)(found, Sink(), Run(Sources({"x": text})))
    fixes = [finding.fix for finding in found if finding.fix]
    if fixes:
        mended, _ = apply_fixes(text, fixes)
        read(mended, "x")


def check_quick(content):
    """What is read quickly is what is read closely, without anything to say of it."""
    quickly = read_fast(content)
    if quickly is None:
        return
    documents, findings = read(content, "x")
    assert not findings
    assert same([resolved(document.data) for document in documents], quickly)


def same(one, other):
    """Return whether two values are equal in type as well."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other or one != one
