"""From the characters of a scalar's value back to the characters of the source that give them.

A YAML scalar is written in one of five styles, in which lines fold and escapes stand for other
characters; JSON strings are a part of the double-quoted style. Callers compare what is read
here with what the parser read; if they differ, the source map is not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

Pieces = list[tuple[str, int, int]]
"""The value in pieces: text, and the half-open range of the source that it came from."""

_MOST_INDENTS = 40
"""How many indentations of a block with an indicator are tried."""

_PROPERTIES = re.compile(r"(?:[!&]\S*[ \t]+(?:\n[ \t]*)?){0,2}")
_HEADER = re.compile(r"([|>])([-+]?)([1-9]?)([-+]?)[^\n]*(?:\n|\Z)")
_INDENT = re.compile(" *")
_FOLD = r"\r?\n(?:[ \t]*\r?\n)*[ \t]*"
"""A fold in flowing text, without the blanks before it."""
_PLAIN_STOP = re.compile(_FOLD)
_SINGLE_QUOTED_STOP = re.compile(rf"{_FOLD}|''")
_DOUBLE_QUOTED_STOP = re.compile(rf"{_FOLD}|\\")
_ESCAPE = re.compile(
    rf"""\\(?:
        (?P<fold>{_FOLD})
      | u(?P<high>[dD][89abAB][0-9a-fA-F]{{2}})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{{2}})
      | x(?P<two>[0-9a-fA-F]{{2}}) | u(?P<four>[0-9a-fA-F]{{4}}) | U(?P<eight>[0-9a-fA-F]{{8}})
      | (?P<letter>.)
    )""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPED = dict(
    zip('0abt\tnvfre "/\\N_LP', '\0\a\b\t\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029', strict=True)
)
"""Letter behind a backslash -> the character that it stands for."""


def readings(text: str, at: int, end: int) -> Iterator[tuple[str, Pieces]]:
    """Yield what a scalar may be read as, with the pieces that the value is made of.

    There is more than one reading where the indentation of a block depends on what stands around,
    and none of them need be the parser's.

    Args:
        text: a file's text, with line ends of one or two characters.
        at: where the scalar's source begins: at a quote, a `|`, an anchor.
        end: where it ends.
    """
    properties = _PROPERTIES.match(text, at, end)
    begin = properties.end() if properties else at
    first = text[begin : begin + 1]
    if first in ("|", ">"):
        found: Iterator[Pieces] = _block(text, begin, end)
    elif first == '"':
        found = iter([_double_quoted(text, begin + 1, end - 1)])
    elif first == "'":
        found = iter([_folded(text, begin + 1, end - 1, quote="'")])
    else:
        found = iter([_folded(text, begin, end)])
    for pieces in found:
        yield "".join(piece for piece, _, _ in pieces), pieces


def places(pieces: Pieces) -> list[tuple[int, int]]:
    """Return for each character of a value the half-open range of the source that gives it."""
    return [place for piece in pieces for place in _characters(*piece)]


def _characters(piece: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start == len(piece):
        yield from zip(range(start, end), range(start + 1, end + 1), strict=True)
    else:
        yield from [(start, end)] * len(piece)


def _folded(text: str, at: int, end: int, quote: str = "") -> Pieces:
    """Read plain text, or text in single quotes, in which two quotes stand for one."""
    pieces: Pieces = []
    stop = _SINGLE_QUOTED_STOP if quote else _PLAIN_STOP
    while match := stop.search(text, at, end):
        if match[0] == quote * 2:
            pieces.append((text[at : match.start()], at, match.start()))
            pieces.append((quote, *match.span()))
        else:
            pieces += _fold(text, at, match)
        at = match.end()
    pieces.append((text[at:end], at, end))
    return pieces


def _fold(text: str, at: int, match: re.Match[str]) -> Pieces:
    """Return the pieces up to the end of a fold, which takes the blanks before it away.

    They are no part of the pattern: a search would try each blank of a line as its beginning.
    """
    kept = text[at : match.start()].rstrip(" \t")
    start = at + len(kept)
    breaks = "\n" * (match[0].count("\n") - 1)
    return [(kept, at, start), (breaks or " ", start, match.end())]


def _double_quoted(text: str, at: int, end: int) -> Pieces:
    pieces: Pieces = []
    while match := _DOUBLE_QUOTED_STOP.search(text, at, end):
        if match[0] != "\\":
            pieces += _fold(text, at, match)
            at = match.end()
            continue
        pieces.append((text[at : match.start()], at, match.start()))
        escape = _ESCAPE.match(text, match.start(), end)
        if escape is None:
            break
        pieces.append((_escaped(escape), *escape.span()))
        at = escape.end()
    pieces.append((text[at:end], at, end))
    return pieces


def _escaped(match: re.Match[str]) -> str:
    """Return the text that an escape stands for."""
    fold, high, low, two, four, eight, letter = match.groups()
    if digits := two or four or eight:
        number = int(digits, 16)
        return chr(number) if number < 0x110000 else ""
    if letter:
        return _ESCAPED.get(letter, "")
    if fold:
        # A backslash at the end of a line takes the fold away, but not the empty lines.
        return "\n" * (fold.count("\n") - 1)
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)


def _block(text: str, begin: int, limit: int) -> Iterator[Pieces]:
    """Yield the readings of a block scalar: one for each indentation that it may have."""
    header = _HEADER.match(text, begin, limit)
    if header is None:
        return
    lines = list(_lines(text, header.end(), limit))
    written = [place for place in lines if text[place[0] : place[1]].strip(" ")]
    if not written:
        return
    first = _INDENT.match(text, written[0][0])
    most = len(first[0]) if first else 0
    # With an indicator the rest of the spaces are text; how many depends on what stands around.
    least = max(most - _MOST_INDENTS, -1)
    for indent in range(most, least, -1) if header[3] else [most]:
        cut = [(min(start + indent, end), end, after) for start, end, after in lines]
        pieces = _literal(text, cut) if header[1] == "|" else list(_folded_block(text, cut))
        yield from _chomped(pieces, header[2] or header[4])


def _lines(text: str, at: int, limit: int) -> Iterator[tuple[int, int, int]]:
    """Yield beginning, end and next beginning of the lines."""
    while at < limit:
        found = text.find("\n", at, limit)
        after = limit if found < 0 else found + 1
        end = after if found < 0 else found
        if text[at:end].endswith("\r"):
            end -= 1
        yield at, end, after
        at = after


def _literal(text: str, lines: list[tuple[int, int, int]]) -> Pieces:
    pieces: Pieces = []
    for start, end, after in lines:
        pieces += [(text[start:end], start, end), ("\n", end, max(after, end))]
    return pieces


def _folded_block(text: str, lines: list[tuple[int, int, int]]) -> Iterator[tuple[str, int, int]]:
    """Yield the pieces of `>`: breaks fold, except beside lines that begin with a space."""
    kept = True
    """Whether the break before this line stays: at the beginning, and behind an indented line."""
    pending: list[tuple[int, int]] = []
    for start, end, after in lines:
        if start == end:
            pending.append((end, after))
            continue
        indented = text[start] in " \t"
        if pending and not kept and not indented:
            # The first break of several is taken for the fold.
            fold, *breaks = pending
            yield ("", *fold) if breaks else (" ", *fold)
        else:
            breaks = pending
        yield from (("\n", *place) for place in breaks)
        yield text[start:end], start, end
        kept, pending = indented, [(end, after)]
    yield from (("\n", *place) for place in pending)


def _chomped(pieces: Pieces, chomping: str) -> Iterator[Pieces]:
    """Yield a block without its last breaks, with one, and with all."""
    last = len(pieces)
    while last and not pieces[last - 1][0].strip("\n"):
        last -= 1
    if chomping == "-":
        yield pieces[:last]
        return
    first_break = next((n for n in range(last, len(pieces)) if pieces[n][0]), last)
    most = 1 if chomping == "" else len(pieces)
    breaks = pieces[first_break:]
    yield pieces[:last] + breaks[:most]
    yield pieces[:last]
    if chomping == "+":
        # The source may end before the last of the empty lines.
        end = pieces[-1][2] if pieces else 0
        for more in range(1, 9):
            yield pieces + [("\n", end, end)] * more
