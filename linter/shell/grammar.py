"""Syntax errors: what is open at the end, operators and blocks without their parts.

The lexer reports to a `Grammar` what it reads. Where the two may read a text otherwise than bash
does (`case` patterns, quotes in `${...}`, ...), there is no error.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bai.linter.shell.words import Word

_ENDS: Final = {"if": "fi", **dict.fromkeys(("while", "until", "for", "select"), "done"), "{": "}"}
"""The word that begins a block -> the one that ends it."""
_BEGINS: Final = {"fi": "if", "done": "do", "}": "{"}
_CLOSERS: Final = {"(": ")", "$(": ")", "<(": ")", ">(": ")", "`": "`", "${": "}"}
_QUOTES: Final = ("'", "$'", '"')
_NEEDS_MORE: Final = frozenset({"&&", "||", "|", "|&"})
_UNSURE: Final = re.compile(r"\b(?:case|function|coproc|time +-\w)\b|=~|=\(")
"""Syntax that the lexer may read otherwise than bash."""
_IN_BRACES: Final = re.compile(r"['\"\\`(]")


class ParseError(NamedTuple):
    """Why bash refuses a text: the half-open range of characters, and the message."""

    start: int
    end: int
    message: str
    hint: str
    is_open: bool = False
    """Whether something is not closed, so that what follows it may be read otherwise."""


class _Place(NamedTuple):
    start: int
    end: int
    text: str


class _Level:
    """A shell within the text, as the lexer's frames."""

    def __init__(self, opener: _Place | None, *, is_arithmetic: bool = False) -> None:
        self.opener = opener
        self.is_arithmetic = is_arithmetic
        self.is_fresh = True
        """Whether there is nothing yet of the next command."""
        self.needy: _Place | None = None
        """The operator that needs another command."""
        self.redirect: _Place | None = None
        """The redirection whose target comes next."""
        self.has_redirected = False
        """Whether there is a redirection in the command."""
        self.blocks: list[_Place] = []


class Grammar:
    """Follows the lexer through a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._levels = [_Level(None)]
        self._quotes: list[_Place] = []
        """The double quotes that are open."""
        self._open: list[_Place] = []
        """What is open at the end, from the outside in."""
        self._found: list[ParseError] = []
        self._is_sure = True

    @property
    def is_sure(self) -> bool:
        """Whether the text is read as bash reads it."""
        return self._is_sure and not _UNSURE.search(self._text)

    def error(self) -> ParseError | None:
        """Return why bash refuses the text; None if it does not, or if that is not sure."""
        if not (self._open or self._found) or not self.is_sure:
            return None
        return self._unclosed() if self._open else self._found[0]

    def _unclosed(self) -> ParseError:
        # A kind of quote with an odd number of marks is the likeliest to be left open.
        odd = [mark for mark in _QUOTES if self._text.count(mark[-1]) % 2]
        place = (
            [place for place in self._open if place.text in odd]
            or [place for place in self._open if place.text not in _QUOTES]
            or self._open
        )[-1]
        if place.text in _QUOTES:
            what = f"the quote {place.text} is not closed"
            hint = "close it, or put a backslash before it if it is a part of the text"
        else:
            what = f"{place.text} is not closed"
            hint = f"close it with {_CLOSERS[place.text]}"
        return ParseError(place.start, place.end, what, hint, is_open=True)

    def content(self) -> None:
        """Note that a word begins."""
        level = self._levels[-1]
        level.is_fresh = False
        level.needy = level.redirect = None

    def quoted(self, at: int, *, is_closed: bool) -> None:
        """Note text in single quotes, or `$'...'`."""
        if not is_closed:
            mark = "$'" if self._text[at] == "$" else "'"
            self.end(_Place(at, at + len(mark), mark))
        self._doubt_in_backquotes()

    def quote(self, at: int) -> None:
        """Note a double quote that opens."""
        self._quotes.append(_Place(at, at + 1, '"'))
        self._doubt_in_backquotes()

    def unquote(self) -> None:
        """Note a double quote that closes."""
        self._quotes.pop()

    def braced(self, start: int, end: int) -> None:
        """Note `${`, whose first `}` stands at `end`, which is -1 where there is none."""
        if end < 0:
            self.end(_Place(start, start + 2, "${"))
        self._is_sure &= not _IN_BRACES.search(self._text, start, end if end >= 0 else start + 200)

    def open(self, start: int, end: int) -> None:
        """Note what opens a shell within the text: a parenthesis, a substitution."""
        above = self._levels[-1]
        self.content()
        twice = self._text[start:end] == "(" and (
            self._text.startswith("(", end) or self._text[start - 1 : start] == "("
        )
        place = _Place(start, end, self._text[start:end])
        self._levels.append(_Level(place, is_arithmetic=above.is_arithmetic or twice))

    def close(self) -> None:
        """Note that the innermost shell ends."""
        self._end(self._levels.pop())
        self._levels[-1].is_fresh = False

    def stray(self, at: int) -> None:
        """Note a parenthesis that closes nothing."""
        self._say(_Place(at, at + 1, ")"), "there is no ( for this )", "remove it, or quote it")
        self._levels[-1].is_fresh = False

    def line(self) -> None:
        """Note the end of a line."""
        self._levels[-1].is_fresh = True
        self._levels[-1].has_redirected = False

    def comment(self) -> None:
        """Note a comment."""
        self._is_sure &= not self._levels[-1].is_arithmetic
        self._doubt_in_backquotes()

    def operator(self, start: int, end: int) -> None:
        """Note what joins commands."""
        level = self._levels[-1]
        place = _Place(start, end, self._text[start:end])
        if level.is_fresh and not level.is_arithmetic:
            before = f"between {level.needy.text} and" if level.needy else "before"
            what = f"there is no command {before} {place.text}"
            self._say(place, what, f"remove {place.text}, or write the command")
        self.line()
        level.needy = place if place.text in _NEEDS_MORE else None

    def redirection(self, start: int, end: int) -> None:
        """Note what a target follows."""
        level = self._levels[-1]
        level.is_fresh = False
        level.needy = None
        level.has_redirected = True
        level.redirect = _Place(start, end, self._text[start:end])
        # Where a line begins and ends with shifts and documents, frames matter.
        self._is_sure &= not (level.redirect.text in {"<<", "<<-"} and len(self._levels) > 1)

    def no_target(self) -> None:
        """Note that a command ends behind a redirection."""
        level = self._levels[-1]
        # `<FILE>` is a blank to fill in.
        if level.redirect and not level.is_arithmetic and "<" not in self._text:
            place = level.redirect
            self._say(place, f"there is no file behind {place.text}", "name the file")
        level.redirect = None

    def keyword(self, word: Word) -> None:
        """Note the first word of a command."""
        level = self._levels[-1]
        if level.is_arithmetic or word.end - word.start != len(word.value):
            return
        blocks, value = level.blocks, word.value
        if value in _ENDS:
            blocks.append(_Place(word.start, word.end, value))
            # Behind a redirection it is a word as any other.
            self._is_sure &= not level.has_redirected
        elif value in _BEGINS:
            self._is_sure &= not level.has_redirected
            if not blocks:
                begin = _BEGINS[value]
                what = f"there is no {begin} for this {value}"
                self._say(_Place(word.start, word.end, value), what, f"remove it, or write {begin}")
            elif _ENDS[blocks[-1].text] == value:
                blocks.pop()
            else:
                self._unended_block(blocks[-1])

    def end(self, *unclosed: _Place) -> None:
        """Note that the text ends, before what is open in it."""
        if not self._open:
            levels = [level.opener for level in self._levels if level.opener]
            self._open = [*sorted([*levels, *self._quotes]), *unclosed]

    def finish(self) -> None:
        """Note the end of the outermost shell, after those of all others."""
        self._end(self._levels[0])

    def _end(self, level: _Level) -> None:
        if level.needy and not level.is_arithmetic:
            place = level.needy
            hint = f"remove {place.text}, or write the command"
            self._say(place, f"no command follows {place.text}", hint)
        for place in level.blocks:
            self._unended_block(place)

    def _unended_block(self, place: _Place) -> None:
        end = _ENDS[place.text]
        self._say(place, f"{place.text} has no {end}", f"write {end} where the block ends")

    def _doubt_in_backquotes(self) -> None:
        # Backquotes end at the next one, whatever stands between.
        self._is_sure &= not any(
            level.opener and level.opener.text == "`" for level in self._levels[-8:]
        )

    def _say(self, place: _Place, what: str, hint: str) -> None:
        self._found.append(ParseError(place.start, place.end, what, hint))
