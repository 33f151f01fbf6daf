"""Whether Python can tell what characters the bytes of a script are."""

from __future__ import annotations

import re

from bai.linter.python.results import SyntaxProblem

_DECLARED = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
"""How Python finds the name of an encoding, in the first two lines."""


def misencoded(source: bytes) -> SyntaxProblem | None:
    """Return where a script without the name of another encoding is not UTF-8, if anywhere.

    Python refuses it, also where only comments have such bytes.
    """
    declared = _DECLARED.match(source)
    if declared and declared[1].lower().replace(b"_", b"-") not in {b"utf-8", b"utf8"}:
        return None
    try:
        source.decode()
    except UnicodeDecodeError as error:
        before = source[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        message = f"byte 0x{source[error.start]:02x} is not UTF-8"
        return SyntaxProblem(line, column, message, python2=False, misencoded=True)
    return None
