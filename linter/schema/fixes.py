"""Fixes of wrong values in a Batch AI file."""

from __future__ import annotations

from bai.schemas.errors import SchemaError
from bai.specs.document import Document
from bai.specs.findings import Fix, Path
from bai.specs.source.edits import quote_scalar, unquote_number, word_fix


def value_fix(error: SchemaError, document: Document, path: Path) -> Fix | None:
    """Return the fix of a wrong value; None if its meaning is not clear.

    Misspelt words, superfluous quotes and missing quotes can be fixed.

    Args:
        error: the error.
        document: the file.
        path: where the error is in the file.
    """
    match error.keyword, error.expected:
        case "enum", _:
            return word_fix(document, path, error.valid)
        case "type", "a whole number":
            return unquote_number(document, path)
        case "type", "a string":
            # One of just some words is not made from a number by quotes.
            return None if error.valid else quote_scalar(document, path)
    return None
