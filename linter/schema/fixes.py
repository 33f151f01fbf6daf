"""Fixes of what breaks the schema of a Batch AI file."""

from __future__ import annotations

from dataclasses import replace

from bai.compiler.batchai.other_keys import OTHER_VALUES, RENAMED
from bai.linter.schema.keys import other_name
from bai.schemas.errors import SchemaError
from bai.specs.document import Document
from bai.specs.findings import Fix, Path
from bai.specs.names import evident
from bai.specs.source.edits import quote_scalar, rename_key, unquote_number, word_fix
from bai.specs.source.plain_scalar import resolved


def schema_fix(error: SchemaError, document: Document, path: Path) -> Fix | None:
    """Return what mends one error unasked; None if a person must say what is meant.

    Those are a misspelt key or word, and quotes too many or too few.

    Args:
        error: what is wrong.
        document: the file.
        path: where the error is in the file.
    """
    match error.keyword, error.expected:
        case "additionalProperties", _:
            return _renaming(error, document, path)
        case "enum", _:
            return word_fix(document, path, error.valid)
        case "type", "a whole number":
            return unquote_number(document, path)
        case "type", "a string":
            # One of just some words is not made from a number by quotes.
            return None if error.valid else quote_scalar(document, path)
    return None


def _renaming(error: SchemaError, document: Document, path: Path) -> Fix | None:
    """Return the fix of an unknown key that can only mean one other, as no key beside it does."""
    name, meant = str(path[-1]), _meant(error)
    if meant is None:
        return None
    if name in RENAMED and not isinstance(resolved(document.value(path)), str):
        # It had numbers when it had this name.
        return None
    others = (key for key in document.value(path[:-1]) if key != name and key not in error.valid)
    if any(meant == _meant(replace(error, path=(*error.path[:-1], key))) for key in others):
        # Which of them it is, only a person knows.
        return None
    return rename_key(document, path, meant)


def _meant(error: SchemaError) -> str | None:
    name = str(error.path[-1])
    known = None if name in OTHER_VALUES else other_name(error)
    return known or evident(name, error.valid)
