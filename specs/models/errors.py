"""The errors that the models of the language raise: each is most of a finding."""

from __future__ import annotations

from pydantic_core import PydanticCustomError

from bai.specs.findings import Path


def model_error(
    code: str,
    message: str,
    hint: str | None = None,
    at: Path = (),
    *,
    unquoted: bool = False,
    meant: str | None = None,
) -> PydanticCustomError:
    """Return an error for a validator to raise; `bai.specs.validation` makes a finding of it.

    Args:
        code: the finding's code.
        message: what is wrong.
        hint: what to do.
        at: the wrong value's place below the value that is being validated.
        unquoted: whether a number is right without its quotes.
        meant: the text that a fix writes in place of the wrong one.
    """
    context = {"message": message, "hint": hint, "at": at, "unquoted": unquoted}
    if meant is not None:
        context["meant"] = meant
    return PydanticCustomError(code, "{message}", context)
