"""Read shell text as commands and words with positions: as much of bash's grammar as checks need.

Any text gives commands; what bash would refuse is read as far as possible. One pass, no recursion,
time linear in the text.

Why not a library: shlex gives no places and no substitutions, bashlex raises on much that bash
takes, and tree-sitter-bash's memory explodes on hostile text (`a|a|a|...`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from bai.linter.shell.command_builder import CommandBuilder
from bai.linter.shell.grammar import ParseError
from bai.linter.shell.words import Heredoc, Sequence, Variable


class Parsed(NamedTuple):
    """What a text was read as."""

    sequences: list[Sequence]
    """Inner ones first, the outermost last."""
    error: ParseError | None
    """Why bash refuses it, if that is sure."""
    open_heredoc: Heredoc | None
    """The first here-document that the text ends in, if that is sure."""
    comments: list[tuple[int, int]]
    """The half-open ranges of comments behind words in the same line."""


def sequences(text: str) -> list[Sequence]:
    """Return the sequences of commands in `text`: inner ones first, the outermost last."""
    return _Lexer(text).run()


def parsed(text: str) -> Parsed:
    """Return what `text` is read as."""
    lexer = _Lexer(text)
    return Parsed(lexer.run(), lexer.grammar.error(), lexer.open_heredoc(), lexer.comments)


_PLAIN = re.compile(r"[^\s'\"\\$`;&|()<>#]+")
_IN_QUOTES = re.compile(r"[^\"\\$`]+")
_NAME = re.compile(r"\$([A-Za-z_]\w*)", re.ASCII)
_BRACED = re.compile(r"\$\{([A-Za-z_]\w*)(?=[}:\-+=?%#/^,@\[])", re.ASCII)
_SPECIAL = re.compile(r"\$[@*#?$!0-9-]")
_ANSI_QUOTES = re.compile(r"\$'(?:[^'\\]++|\\.)*+('?)", re.DOTALL)
_OPERATOR = re.compile(r";;&|;;|;&|;|&&|\|\||\|&|&(?!>)|\|")
_REDIRECT = re.compile(r"&>>|&>|<<<|<<-?|<&|>&|<>|>>|>\||<|>")


class _Lexer(CommandBuilder):
    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.unended: list[Heredoc] = []
        self.comments: list[tuple[int, int]] = []
        """The half-open ranges of comments behind words in the same line."""

    def run(self) -> list[Sequence]:
        while self.at < len(self.text):
            if self.frames[-1].in_quotes:
                self._quoted()
            else:
                self._unquoted()
        self.grammar.end()
        while len(self.frames) > 1:
            self.close()
        self.end_command("")
        self.grammar.finish()
        self.done.append(Sequence(self.frames[0].commands, substitution=False))
        return self.done

    def open_heredoc(self) -> Heredoc | None:
        """Return the first here-document that nothing ends; None if that is not sure."""
        # Elsewhere than in the outermost shell, what ends a shell may end a here-document.
        is_sure = len(self.frames) == 1 and "\r" not in self.text and self.grammar.is_sure
        unended = [*self.unended, *self.heredocs]
        return min(unended) if unended and is_sure else None

    def _quoted(self) -> None:
        mark = self.text[self.at]
        if match := _IN_QUOTES.match(self.text, self.at):
            self.add(match[0], match.end())
        elif mark == '"':
            self.frames[-1].in_quotes = False
            self.grammar.unquote()
            self.add("", self.at + 1)
        elif mark == "\\":
            self.add(self.text[self.at : self.at + 2], self.at + 2)
        else:
            self._expansion(mark)

    def _unquoted(self) -> None:
        text, at = self.text, self.at
        if match := _PLAIN.match(text, at):
            self.add(match[0], match.end())
            return
        mark = text[at]
        if mark == "\n":
            self.end_command("\n")
            self.grammar.line()
            self.at += 1
            self._skip_heredocs()
        elif mark.isspace():
            self.end_word()
            self.at += 1
        elif mark == "'":
            end = text.find("'", at + 1)
            self.grammar.quoted(at, is_closed=end >= 0)
            end = len(text) if end < 0 else end
            self.add(text[at + 1 : end], end + 1)
            self.word().quoted = True
        elif mark == '"':
            self.add("", at + 1)
            self.word().quoted = True
            self.frames[-1].in_quotes = True
            self.grammar.quote(at)
        elif mark == "\\":
            # A backslash before a line's end joins the lines.
            self.add("" if text[at + 1 : at + 2] == "\n" else text[at + 1 : at + 2], at + 2)
        elif mark in "$`":
            self._expansion(mark)
        elif mark == "#":
            self._comment()
        elif mark == "(":
            self.end_word()
            self.open(at + 1, ")", substitution=False)
        elif mark == ")" and self.frames[-1].closer == ")":
            self.at += 1
            self.close()
        elif mark == ")":  # of a pattern in `case`, or a stray one
            self.end_command(";")
            self.grammar.stray(at)
            self.at += 1
        elif match := _OPERATOR.match(text, at):
            self.end_command(match[0])
            self.grammar.operator(at, match.end())
            self.at = match.end()
        elif match := _REDIRECT.match(text, at):
            self._redirection(match)
        else:
            self.add(mark, at + 1)

    def _comment(self) -> None:
        if self.frames[-1].word is not None:
            self.add("#", self.at + 1)
            return
        self.grammar.comment()
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        if self.frames[-1].command.words:
            self.comments.append((self.at, end))
        self.at = end

    def _expansion(self, mark: str) -> None:
        text, at, frame = self.text, self.at, self.frames[-1]
        if mark == "`":
            self._backquote()
        elif text.startswith("$(", at):
            self.word().substitutes = True
            self.open(at + 2, ")", substitution=True)
        elif match := _NAME.match(text, at):
            self._variable(match, match.end())
        elif text.startswith("${", at):
            end = text.find("}", at)
            self.grammar.braced(at, end)
            end = len(text) if end < 0 else end + 1
            if match := _BRACED.match(text, at):
                self._variable(match, end)
            else:
                self.word().substitutes = True
                self.add(text[at:end], end)
        elif not frame.in_quotes and (match := _ANSI_QUOTES.match(text, at)):
            self.grammar.quoted(at, is_closed=match[1] != "")
            self.add(match[0][2:-1], match.end())
            self.word().quoted = True
        elif match := _SPECIAL.match(text, at):
            self.word().substitutes = True
            self.add(match[0], match.end())
        else:
            self.add("$", at + 1)

    def _variable(self, match: re.Match[str], end: int) -> None:
        word = self.word()
        word.variables.append(Variable(self.at, end, match[1], self.frames[-1].in_quotes))
        self.add(self.text[self.at : end], end)

    def _backquote(self) -> None:
        self.word().substitutes = True
        # Only the innermost frames count, or unclosed parentheses would make this quadratic.
        if not any(frame.closer == "`" for frame in self.frames[-8:]):
            self.open(self.at + 1, "`", substitution=True)
            return
        self.at += 1
        while self.frames[-1].closer != "`":
            self.close()
        self.close()

    def _redirection(self, match: re.Match[str]) -> None:
        frame = self.frames[-1]
        if frame.word is not None and frame.word.value.isdigit():
            frame.word = None  # `2>` names a file descriptor
        self.end_word()
        if match[0] in {"<", ">"} and self.text.startswith("(", match.end()):
            self.word().substitutes = True
            self.open(match.end() + 1, ")", substitution=True)
            return
        self.grammar.redirection(self.at, match.end())
        frame.redirect, frame.redirect_start = match[0], self.at
        frame.command.reads |= match[0].startswith("<")
        self.at = frame.command.end = match.end()

    def _skip_heredocs(self) -> None:
        for heredoc in self.heredocs:
            while self.at < len(self.text):
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = end + 1
                if heredoc.operator == "<<-":
                    line = line.lstrip("\t")
                if line == heredoc.delimiter:
                    break
            else:
                self.unended.append(heredoc)
        self.heredocs.clear()
