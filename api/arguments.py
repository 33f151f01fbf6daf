"""What callers of the Python API give, checked before it gets where its errors would be obscure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from numbers import Real
from typing import Any

from bai.specs import durations
from bai.specs.names import suggestion

STREAMS = ("stdout", "stderr")
"""What a process writes to."""


def expect(value: object, types: type | tuple[type, ...], what: str, hint: str = "") -> None:
    """Check the type of an argument.

    Args:
        value: the argument.
        types: what it may be; a bool counts as an int only if it is named itself.
        what: `NAME must be ...`, which the message begins with.
        hint: what to do instead; by default nothing.

    Raises:
        TypeError: it is of another type.
    """
    wanted = types if isinstance(types, tuple) else (types,)
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        raise TypeError(f"{what}, not {type(value).__name__}{f' ({hint})' if hint else ''}")


def expect_path(value: object, more: str) -> None:
    """Check that an argument is a file's path.

    Args:
        value: the argument.
        more: what to give where it is a collection of paths: `load(*paths)`.

    Raises:
        TypeError: it is of another type, which also is bytes.
    """
    several = isinstance(value, (list, tuple, set, frozenset))
    what = "a path must be a str or an os.PathLike, such as pathlib.Path"
    expect(value, (str, os.PathLike), what, f"give several as {more}" if several else "")


def expect_one_of(value: object, valid: Sequence[str], name: str) -> None:
    """Check that an argument is one of a few texts.

    Raises:
        ValueError: it is another one, or no text.
    """
    if value not in valid:
        hint = suggestion(value, valid) if isinstance(value, str) else ""
        hint = hint or f"valid here: {', '.join(valid)}"
        raise ValueError(f"{name} can't be {value!r} ({hint})")


def seconds(value: Any) -> float:
    """Return the seconds of a number of them, or of a text: `600`, `90s`, `1h30m`, `PT12H`.

    Raises:
        ValueError: it is neither, or less than nothing; the message begins with the value.
    """
    if isinstance(value, str):
        with suppress(ValueError):
            return durations.seconds(value)
        with suppress(ValueError):
            if 0 <= (number := float(value)) < inf:
                return number
    elif isinstance(value, Real) and not isinstance(value, bool) and float(value) >= 0:
        return float(value)
    forms = "600 (seconds), 90s, 1h30m or PT12H, for example"
    raise ValueError(f"{value!r} (expected {forms})")


def timeout_seconds(timeout: float | str | None) -> float | None:
    """Return the seconds of a timeout; None, which is no end, stays None.

    Raises:
        ValueError: it is no length of time.
    """
    if timeout is None:
        return None
    try:
        return seconds(timeout)
    except ValueError as error:
        raise ValueError(f"timeout is no length of time: {error}") from None
