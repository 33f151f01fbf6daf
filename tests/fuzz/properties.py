"""What holds of any bytes. Hypothesis and atheris both look for some of which it does not."""

import sys
from textwrap import indent

import yaml
from linting import lint

from bai.cli.render.formats import FORMATS, Run, writer
from bai.cli.render.sources import Sources
from bai.linter.environment import LintEnvironment
from bai.linter.fixes import apply_fixes
from bai.linter.shell.issues import find_issues
from bai.linter.shell.pasted_text import pasted_prompts, pasted_text
from bai.linter.suppressions.apply import apply
from bai.specs.codes import CODES as ALL_CODES
from bai.specs.source.lines import Lines
from bai.specs.source.plain_scalar import resolved
from bai.specs.syntax.characters import encoding_of
from bai.specs.syntax.fast_reader import read_fast
from bai.specs.syntax.reader import read

CODES = frozenset(ALL_CODES)


STYLES = {"plain": "", "single": "'", "double": '"', "folded": ">", "literal": "|"}
"""Name of a style of YAML's scalars -> its mark."""
TEXTS = {
    "command": ("custom", "command"),
    "preparation": ("preparation",),
    "args": ("pyTorch", "args"),
}
"""What of a job a shell runs, or is split into words as by one -> where it stands."""
SPEC = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: x}
spec:
  clusters: {c: {vmSize: STANDARD_NC6, scale: 2}}
  jobs:
    j:
      nodeCount: 2
      mounts: {data: "azureFile:data"}
      logs: ${mounts.data}
"""
SHELL_CODES = {
    *("BAI708", "BAI709", "BAI715", "BAI716", "BAI717", "BAI718", "BAI740", "BAI741", "BAI750"),
}
"""Codes of findings that `find_issues`, `pasted_text` and `pasted_prompts` are the source of."""


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


def check_command(text, what, style, width):
    """Findings of any command line, however it is written, show what they are about.

    Args:
        text: a command line, or arguments.
        what: which of `TEXTS` it is.
        style: the mark of a style of YAML's scalars, from `STYLES`.
        width: where lines are folded.
    """
    source = spec_with(text, what, style, width)
    documents, findings = read(source, "x")
    path = ("spec", "jobs", "j", *TEXTS[what])
    if len(documents) != 1 or findings or documents[0].value(path) != text:
        return  # it can't be written so
    with StepLimit(100_000 + 1_000 * len(source)):
        found = lint(source.encode("utf-8", "surrogatepass"), "x", "/", LintEnvironment())
    lines = Lines(source)
    scalar = documents[0].values[path]
    mark = source[lines.offset(scalar.line, scalar.column)]
    is_command = what != "args"
    issues = [*pasted_text(text, is_command=is_command)]
    if is_command:
        issues += [*find_issues(text), *pasted_prompts(text)]
    shown = {squeezed(text[issue.start : issue.end]) for issue in issues}
    for finding in found:
        span = finding.span
        start = lines.offset(span.line, span.column)
        end = lines.offset(span.end_line, span.end_column)
        assert start < end, finding
        if finding.code in SHELL_CODES:
            excerpt = unescaped(source[start:end], mark)
            assert squeezed(excerpt) in shown, (finding, shown)


def spec_with(text, what, style, width):
    """Return a spec of a job with a text in it."""

    class Dumper(yaml.SafeDumper):
        """Writes text in this style, but no keys."""

    class Text(str):
        __slots__ = ()

    def written(dumper, data):
        return dumper.represent_scalar("tag:yaml.org,2002:str", str(data), style)

    Dumper.add_representer(Text, written)
    entries = {
        "command": {"custom": {"command": Text(text)}},
        "preparation": {"preparation": Text(text), "custom": {"command": "true"}},
        "args": {"pyTorch": {"script": "${mounts.data}/x.py", "args": Text(text)}},
    }
    rest = yaml.dump(entries[what], Dumper=Dumper, width=width, allow_unicode=True)
    return SPEC + indent(rest, "      ")


def unescaped(excerpt, mark):
    """Return what a part of a scalar is read as, which begins with a mark."""
    if mark == '"':
        return yaml.safe_load(f'"{excerpt}"')
    return excerpt.replace("''", "'") if mark == "'" else excerpt


def squeezed(text):
    """Return a text without blanks: where lines of a scalar end is a matter of its style."""
    return "".join(text.split())


class StepLimit:
    """Counts the calls of bai's functions and in them, and raises where there are too many."""

    def __init__(self, most):
        self.left = most

    def __enter__(self):
        sys.setprofile(self.step)

    def __exit__(self, *error):
        sys.setprofile(None)

    def step(self, frame, event, argument):
        # What is loaded at the first use does not count.
        self.left -= frame.f_globals.get("__name__", "").startswith("bai.")
        assert self.left > 0, "too many steps"
