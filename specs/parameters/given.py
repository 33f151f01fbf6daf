"""Values that are given for parameters: in Python, on a command line, in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic_core import PydanticCustomError

from bai.specs.codes import make_finding
from bai.specs.document import Document, error_at
from bai.specs.findings import Finding
from bai.specs.models.scalars import scalar_of
from bai.specs.parameters.records import Given
from bai.specs.parsed_file import ParsedFile
from bai.specs.source.plain_scalar import Plain, kind_of


def from_python(values: Mapping[str, Any]) -> dict[str, Given]:
    """Return values of Python as given values.

    Raises:
        TypeError: one is no str, int, float or bool.
    """
    found = {}
    for name, value in values.items():
        if not isinstance(name, str):
            raise TypeError(f"the name of a parameter must be a str, not {name!r}")
        try:
            found[name] = Given(scalar_of(value), "given in Python")
        except PydanticCustomError:
            what = type(value).__name__
            message = f"the value of the parameter {name} must be a str, int, float or bool"
            raise TypeError(f"{message}, not {what}") from None
    return found


def from_option(text: str) -> tuple[str, Given]:
    """Return the name and the value in `NAME=VALUE`.

    Raises:
        ValueError: it has another form.
    """
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"expected NAME=VALUE, found {text!r}")
    return name, Given(Plain(value), "given with -p")


class ReadValues(NamedTuple):
    """The values in a file of parameters, and what is wrong with it."""

    values: Mapping[str, Given]
    findings: tuple[Finding, ...] = ()


def from_file(file: ParsedFile) -> ReadValues:
    """Return the values in a file, YAML or JSON with one mapping: NAME -> value."""
    if file.syntax_errors:
        return ReadValues({}, tuple(file.syntax_errors))
    if len(file.documents) > 1:
        other = file.documents[1]
        hint = "write all parameters in one mapping"
        message = "a file of parameters has one document, found another one"
        return ReadValues({}, (make_finding("BAI205", message, other.span(()), hint),))
    [document] = file.documents
    if not isinstance(document.data, dict):
        message = f"expected a mapping from names to values, found {kind_of(document.data)}"
        return ReadValues({}, (error_at("BAI203", message, document, (), "write lr: 0.1"),))
    return _read(document, file.name)


def _read(document: Document, file: str) -> ReadValues:
    values: dict[str, Given] = {}
    findings = []
    for name, value in document.data.items():
        if isinstance(value, str):
            values[name] = Given(value, f"given in {file}", document.span((name,)))
        elif value is not None:
            message = f"{name}: expected a string, a number or a boolean, found {kind_of(value)}"
            findings.append(error_at("BAI203", message, document, (name,)))
    return ReadValues(values, tuple(findings))
