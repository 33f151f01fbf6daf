"""From text to specs: the models' complaints become findings at their places."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from bai.specs import mistakes
from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, Span
from bai.specs.models.experiment import Experiment
from bai.specs.reader import read
from bai.specs.walk import model_at


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A valid experiment with the document it was read from."""

    model: Experiment
    document: Document
    directory: str
    """Absolute path of the folder that relative paths in the spec start from."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The valid specs of a file, and what is wrong with the others."""

    specs: tuple[LoadedSpec, ...]
    findings: tuple[Finding, ...]


def load_file(path: str | os.PathLike[str]) -> LoadResult:
    """Read the specs of a file. What goes wrong, a missing file too, is a finding."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
            content = file.read()
    except OSError as error:
        reason = error.strerror or str(error)
        span = Span(name, 1, 1, 1, 1)
        finding = Finding("BAI110", Severity.ERROR, f"can't read the file: {reason}", span)
        return LoadResult((), (finding,))
    return load_text(content, name, os.path.dirname(os.path.abspath(name)))  # noqa: PTH100, PTH120


def load_text(text: str | bytes, file: str, directory: str) -> LoadResult:
    """Read the specs of a text.

    Args:
        text: YAML, one document for each experiment.
        file: the name that findings carry.
        directory: absolute path of the folder that relative paths start from.
    """
    documents, findings = read(text, file)
    found = list(findings)
    specs = []
    for document in documents:
        if stranger := mistakes.not_a_spec(document):
            found.append(stranger)
            continue
        try:
            specs.append(LoadedSpec(Experiment.model_validate(document.data), document, directory))
        except ValidationError as error:
            found += _findings(error, document)
    found.sort(key=_position)
    return LoadResult(tuple(specs), tuple(dict.fromkeys(found)))


def _position(finding: Finding) -> tuple[int, int, str]:
    span = finding.span
    return (span.line, span.column, finding.code) if span else (0, 0, finding.code)


def _findings(error: ValidationError, document: Document) -> list[Finding]:
    return [_finding(detail, document) for detail in error.errors(include_url=False)]


def _finding(detail: Any, document: Document) -> Finding:
    path = _document_path(detail["loc"], document.data)
    code, context = detail["type"], detail.get("ctx", {})
    if code.startswith("BAI"):
        path = (*path, *context.get("at", ()))
        span = document.key_span(path) if code in _AT_KEY else document.span(path)
        return Finding(code, Severity.ERROR, context["message"], span, context.get("hint"))
    return mistakes.explain(code, path, context, detail, document, model_at(path[:-1]))


_AT_KEY = frozenset({"BAI502", "BAI701"})
"""Complaints about a key rather than the value behind it."""


def _document_path(loc: tuple[Any, ...], data: Any) -> Path:
    """Return the part of an error's location that exists in the document, and a missing last key.

    The models' locations also name steps that no document has: the full form that a short one
    stands for, and `[key]` for a mapping's key.
    """
    path: list[str | int] = []
    for index, step in enumerate(loc):
        if (isinstance(data, dict) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        ):
            data = data[step]
        elif isinstance(data, dict) and index == len(loc) - 1 and step != "[key]":
            pass
        else:
            break
        path.append(step)
    return tuple(path)
