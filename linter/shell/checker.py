"""The checks behind `find_issues`, over the commands that `lexer` reads."""

from __future__ import annotations

from collections.abc import Collection

from bai.linter.shell.backslashes_and_comments import escaped_blanks, unmeant_comments
from bai.linter.shell.called_programs import SHELLS, InnerShell, bare, inner_shell
from bai.linter.shell.hidden_failures import failure_hidden_at_end, failure_hidden_by_pipe
from bai.linter.shell.lexer import parsed
from bai.linter.shell.package_installers import install_questions, misspelt_subcommand
from bai.linter.shell.requirements import misread_requirements
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.state import ShellState
from bai.linter.shell.words import Command, Heredoc, Sequence, Word, pipelines
from bai.linter.shell.wrong_targets import unchecked_folders, unquoted_variables

_DEPTH = 3
"""How many texts of `bash -c` within each other are looked at."""
_OF_REQUIREMENTS = ("=", ",", ".txt")
"""What stands in a text with requirements that pip gets otherwise than meant."""


class Checker:
    """Checks one text, and the texts of `bash -c` within it, which stand at an `offset`."""

    def __init__(
        self,
        text: str,
        spaceless: Collection[str],
        shell: InnerShell = InnerShell(),  # noqa: B008
        offset: int = 0,
        depth: int = 0,
        quote: str = '"',
    ):
        self.text = text
        self.spaceless = spaceless
        self.offset = offset
        self.depth = depth
        self.quote = quote
        """The mark that may quote a word in the text; empty if none may."""
        self.found: list[ShellIssue] = []
        self.state = ShellState(text, spaceless, shell)

    def run(self) -> list[ShellIssue]:
        """Return the issues, in no order."""
        sequences, error, heredoc, comments = parsed(self.text)
        if error:
            self._add(ShellIssue("unreadable", error.start, error.end, error.message, error.hint))
            if error.is_open:
                return self.found
        elif heredoc:
            self._add(_open_heredoc(self.text, heredoc))
        self._add(*unmeant_comments(self.text, comments))
        commands = [command for sequence in sequences for command in sequence.commands]
        commands.sort(key=lambda command: command.start)
        for command in commands:
            self.state.learn(command)
        for command in commands:
            self._command(command)
        if self.depth == 0 and not error:
            self._add(failure_hidden_at_end(self.text, sequences[-1], self.state))
        self._sequences(sequences)
        return self.found

    def _command(self, command: Command) -> None:
        text, called = self.text, bare(command)
        if "\\" in text:
            self._add(*escaped_blanks(text, command.words[1:], called.name))
        self._add(misspelt_subcommand(called))
        if command.redirections or any(mark in text for mark in _OF_REQUIREMENTS):
            self._add(*misread_requirements(text, command, called, self.quote))
        if called.name in SHELLS:
            self._inner(called.arguments)
        else:
            self._add(*unquoted_variables(text, called, self.state))

    def _sequences(self, sequences: list[Sequence]) -> None:
        is_answered = "assume-yes" in self.text.lower() or "assumeyes" in self.text
        for sequence in sequences:
            self._add(*unchecked_folders(self.text, sequence, self.state))
            for pipeline in pipelines(sequence):
                self._add(failure_hidden_by_pipe(self.text, pipeline, sequence, self.state))
                if not is_answered:
                    self._add(*install_questions(self.text, pipeline))

    def _add(self, *issues: ShellIssue | None) -> None:
        shift = self.offset
        for issue in filter(None, issues):
            start, end = issue.start + shift, issue.end + shift
            edits = [(first + shift, last + shift, new) for first, last, new in issue.edits]
            self.found.append(issue._replace(start=start, end=end, edits=edits))

    def _inner(self, arguments: list[Word]) -> None:
        """Check the text of `bash -c '...'`, where its characters stand as they are read."""
        shell = inner_shell(arguments)
        word = shell.text
        if word is None or self.depth >= _DEPTH:
            return
        written = self.text[word.start : word.end]
        inner = written[1:-1]
        if len(written) < 2 or written[0] not in "'\"" or written[-1] != written[0]:
            return
        if written[0] in inner or (written[0] == '"' and "\\" in inner):
            return
        offset = self.offset + word.start + 1
        quote = "" if self.depth else "'" if written[0] == '"' else '"'
        checker = Checker(inner, self.spaceless, shell, offset, self.depth + 1, quote)
        self.found += checker.run()


def _open_heredoc(text: str, heredoc: Heredoc) -> ShellIssue:
    """Return what is wrong with a here-document of `text` that nothing ends."""
    opening = f"{heredoc.operator}{heredoc.delimiter}"
    lines = text[heredoc.start :].split("\n")
    end = next((line for line in lines[1:] if line.strip() == heredoc.delimiter), None)
    hint = f"write {heredoc.delimiter} alone in the line behind the text"
    if len(lines) == 1:
        message = f"the text of {opening} begins in the next line, and there is none"
        hint = "write the command as a block below |, which keeps its lines"
    elif end is not None:
        message = f"{opening} does not end at {end!r}, but at {heredoc.delimiter!r} alone"
        hint = f"leave out what stands around {heredoc.delimiter} in its line"
    else:
        message = f"{opening} has no line {heredoc.delimiter}: all that follows is its text"
    return ShellIssue("open-heredoc", heredoc.start, heredoc.end, message, hint)
