"""Commands, put together from the parts that the lexer finds."""

from __future__ import annotations

from bai.linter.shell.grammar import Grammar
from bai.linter.shell.words import Command, Heredoc, Redirection, Sequence, Word

_ASKING = frozenset({"if", "elif", "while", "until", "!"})
_SKIPPED = frozenset({"then", "else", "do", "{", "}", "time", "fi", "done", "esac"})


class Frame:
    """A shell within the text: the outermost one, a subshell or a substitution."""

    def __init__(self, start: int, closer: str, *, substitution: bool) -> None:
        self.closer = closer
        self.substitution = substitution
        self.commands: list[Command] = []
        self.command = Command(start)
        self.word: Word | None = None
        self.in_quotes = False
        self.redirect = ""
        """The redirection whose target comes next."""
        self.redirect_start = start
        """Where it stands."""


class CommandBuilder:
    """The words, commands and shells within a text, as far as it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        """What is read next."""
        self.frames = [Frame(0, "", substitution=False)]
        self.done: list[Sequence] = []
        self.heredocs: list[Heredoc] = []
        """Those whose text begins in the next line."""
        self.grammar = Grammar(text)

    def word(self) -> Word:
        """Return the word that is being read, which begins here if there is none."""
        frame = self.frames[-1]
        if frame.word is None:
            frame.word = Word(self.at)
            self.grammar.content()
            if not frame.command.words and not frame.command.compound:
                frame.command.start = self.at
        return frame.word

    def add(self, part: str, end: int) -> None:
        """Add a part to the word, and go on at `end`."""
        word = self.word()
        word.parts.append(part)
        word.end = self.at = min(end, len(self.text))

    def end_word(self) -> None:
        """End the word, if there is one, and give it its place in the command."""
        frame = self.frames[-1]
        word, frame.word = frame.word, None
        if word is None:
            return
        frame.command.end = word.end
        if frame.redirect:
            redirection = Redirection(frame.redirect_start, frame.redirect, word)
            frame.command.redirections.append(redirection)
            if frame.redirect in {"<<", "<<-"}:
                heredoc = Heredoc(frame.redirect_start, word.end, frame.redirect, word.value)
                self.heredocs.append(heredoc)
            frame.redirect = ""
        elif frame.command.words or word.quoted or word.variables:
            frame.command.words.append(word)
        else:
            self.grammar.keyword(word)
            if word.value in _ASKING:
                frame.command.condition = True
            elif word.value in _SKIPPED:
                frame.command.compound |= word.value in {"}", "fi", "done", "esac"}
            else:
                frame.command.words.append(word)

    def end_command(self, joiner: str) -> None:
        """End the command, if there is one, and begin the next."""
        self.end_word()
        frame = self.frames[-1]
        command = frame.command
        if frame.redirect:
            self.grammar.no_target()
            frame.redirect = ""
        if command.words or command.compound:
            command.joiner = joiner
            frame.commands.append(command)
            frame.command = Command(self.at)

    def open(self, start: int, closer: str, *, substitution: bool) -> None:
        """Begin a shell within the text, which `closer` will end, and go on at `start`."""
        self.grammar.open(self.at, start)
        self.frames.append(Frame(start, closer, substitution=substitution))
        self.at = start

    def close(self) -> None:
        """End the innermost shell."""
        self.end_command("")
        inner = self.frames.pop()
        self.grammar.close()
        self.done.append(Sequence(inner.commands, inner.substitution))
        if inner.substitution:
            self.add("$()", self.at)
        else:
            command = self.frames[-1].command
            command.compound = True
            command.end = self.at
            if command.words:  # a function's name stood before the parentheses
                self.end_command(";")
