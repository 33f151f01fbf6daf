r"""The page of a code: a Markdown file beside this module, read.

    # BAI801: a job's nodes fit on its cluster.

    Batch AI starts a job once all its nodes are free, so this one would wait forever.

    Wrong (spec):

        clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
        ...

    Right (spec):

        ...

The word in brackets says what the example is a part of:

- `file`: nothing, it is the whole file;
- `spec`: what is under `spec` of a spec;
- `job`: a job of a spec, in which it takes the place of the same keys;
- `job.json`, `cluster.json`: the same for `properties` of Batch AI's files;
- `shell`: of no file, but what is typed beside an `experiment.yaml` that is right.

A byte that is not UTF-8 is written as Python's `surrogateescape` decodes it, `\udcfc`, and a
control character as `\u001b`.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import Final

FRAMES: Final = {
    "file": "",
    "spec": "under spec",
    "job": "in a job",
    "job.json": "in the properties of a job file",
    "cluster.json": "in the properties of a cluster file",
    "shell": "on the command line",
}
"""What an example is a part of -> the same in words."""

_ESCAPE = re.compile(r"\\u(dc[89a-f][0-9a-f]|00[01][0-9a-f])")
_EXAMPLE = re.compile(r"^(Wrong|Right) \(([\w.]+)\):\n\n((?:    .*\n|\n)+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """A part of a file."""

    frame: str
    """One of `FRAMES`."""
    text: str

    @property
    def content(self) -> bytes:
        """The example as it stands in a file."""
        text = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), self.text)
        return text.encode("utf-8", "surrogateescape")

    @property
    def shown(self) -> str:
        """The example as an editor shows it, with a mark for bytes and characters of no text."""
        text = self.content.decode("utf-8", "replace")
        return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


@dataclass(frozen=True, slots=True)
class Page:
    """What there is to know of a rule."""

    rule: str
    """What holds where all is well, in one sentence without its end."""
    why: str
    """Why it matters: paragraphs."""
    wrong: Example
    right: Example

    @property
    def sentence(self) -> str:
        """The rule as a sentence."""
        return f"{self.rule[0].upper()}{self.rule[1:]}."

    @property
    def paragraphs(self) -> list[str]:
        """The paragraphs of `why`, each in one line."""
        return [" ".join(part.split()) for part in re.split(r"\n\s*\n", self.why)]


def read_page(text: str, code: str) -> Page:
    """Read a page.

    Args:
        text: the content of its file.
        code: the code that it must begin with.

    Raises:
        ValueError: the page lacks something.
    """
    text = textwrap.dedent(text.rstrip()) + "\n"
    head, _, rest = text.partition("\n")
    examples = {
        kind: Example(frame, textwrap.dedent(body).strip("\n") + "\n")
        for kind, frame, body in _EXAMPLE.findall(rest)
    }
    why = rest[: match.start()] if (match := _EXAMPLE.search(rest)) else rest
    label, _, rule = head.removeprefix("# ").partition(": ")
    frames = {example.frame for example in examples.values()}
    if label != code or examples.keys() != {"Wrong", "Right"} or not frames <= {*FRAMES}:
        raise ValueError(f"{code}: the page must have its code and a wrong and a right example")
    if not why.strip():
        raise ValueError(f"{code}: the page must say why it matters")
    return Page(rule.rstrip("."), why.strip(), examples["Wrong"], examples["Right"])
