"""The checks behind `mistakes`, over the commands that `lexer` reads."""

from __future__ import annotations

import re
from collections.abc import Collection

from bai.linter.shell.bare_commands import bare
from bai.linter.shell.escaped_blanks import escaped_blanks
from bai.linter.shell.inner_shells import SHELLS, InnerShell, inner_shell
from bai.linter.shell.install_questions import INSTALLERS, asked_about
from bai.linter.shell.lexer import parsed
from bai.linter.shell.requirements import misread_requirements
from bai.linter.shell.shell_issue import ShellIssue
from bai.linter.shell.state import ShellState
from bai.linter.shell.subcommands import misspelt_subcommand
from bai.linter.shell.unmeant_comments import is_meant
from bai.linter.shell.words import (
    BATCH_FOLDER,
    Command,
    Heredoc,
    Sequence,
    Word,
    pipelines,
)

_PYTHONS = frozenset({"python", "python2", "python3"})
_FETCHERS = frozenset({"curl", "wget"})
_UNPACKERS = frozenset({"tar", "gunzip", "cpio", "unzip"})
_EATERS = SHELLS | _PYTHONS | _UNPACKERS | {"perl", "tee"}
"""What content of the net is piped to; given nothing, shells and tee report success."""
_LAUNCHERS = frozenset({"mpirun", "mpiexec", "horovodrun", "torchrun"})
_BUILDERS = frozenset({"make", "cmake", "nvcc", "pip", "pip3", "conda", "apt", "apt-get", "docker"})
_WORKERS = _PYTHONS | _LAUNCHERS | _BUILDERS
_LOGGERS = frozenset({"tee", "ts", "logger", "awk", "gawk", "sed"})
"""What the output of work is piped to only to be kept or changed."""
_FILTERS = frozenset({"tail", "grep", "egrep", "cat", "tr"})
"""What may also answer a question about the output, so that only the output of a script counts."""
_QUESTIONS = re.compile(r"-\w*[cqlLm]\w*|--(?:count|quiet|silent|files-.*|max-count.*)")
"""Options of grep by which it answers one."""

_FRAGILE = frozenset({"rm", "rmdir", "cp", "mv", "cd", "mkdir", "test", "["})
_SURE = frozenset({"~", "/", "/tmp", ".", "..", "$HOME", "${HOME}"})  # noqa: S108
"""Folders that are always there."""
_NUMERIC = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge"})
_LISTS = re.compile(r"(?i:.*(?:files|list|args|opts|options|flags|dirs|paths))")
"""Names of variables that are meant to fall apart."""


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
        """Return the mistakes, in no order."""
        sequences, refusal, heredoc, comments = parsed(self.text)
        if refusal:
            self._say("unreadable", *refusal[:4])
            if refusal.is_open:
                return self.found
        elif heredoc:
            self._heredoc(heredoc)
        for start, end in comments:
            comment = self.text[start:end]
            if is_meant(self.text[max(0, start - 100) : start].rpartition("\n")[2], comment):
                end = start + len(comment.split()[0])
                message = f"for the shell a comment begins at {self.text[start:end]}"
                self._say("swallowed", start, end, message, "put it in quotes")
        commands = [command for sequence in sequences for command in sequence.commands]
        commands.sort(key=lambda command: command.start)
        for command in commands:
            self.state.learn(command)
        is_answered = "assume-yes" in self.text.lower() or "assumeyes" in self.text
        for command in commands:
            called = bare(command)
            name, arguments, *_ = called
            if "\\" in self.text:
                for mistake in escaped_blanks(self.text, command.words[1:], name):
                    self._add(mistake)
            if misspelt := misspelt_subcommand(called):
                self._add(misspelt)
            if command.redirections or any(mark in self.text for mark in ("=", ",", ".txt")):
                for mistake in misread_requirements(self.text, command, called, self.quote):
                    self._add(mistake)
            if name in _FRAGILE:
                self._variables(name, arguments)
            elif name in SHELLS:
                self._inner(arguments)
        if self.depth == 0 and not refusal:
            self._end(sequences[-1])
        for sequence in sequences:
            self._folders(sequence)
            for pipeline in pipelines(sequence):
                self._pipeline(pipeline, sequence)
                if not is_answered:
                    self._questions(pipeline)
        return self.found

    def _add(self, mistake: ShellIssue) -> None:
        shift = self.offset
        start, end = mistake.start + shift, mistake.end + shift
        edits = [(first + shift, last + shift, new) for first, last, new in mistake.edits]
        self.found.append(mistake._replace(start=start, end=end, edits=edits))

    def _say(
        self,
        kind: str,
        start: int,
        end: int,
        message: str,
        hint: str,
        insertion: tuple[int, str] | None = None,
    ) -> None:
        edits = [(insertion[0], insertion[0], insertion[1])] if insertion else []
        self._add(ShellIssue(kind, start, end, message, hint, edits))

    def _heredoc(self, heredoc: Heredoc) -> None:
        opening = f"{heredoc.operator}{heredoc.delimiter}"
        lines = self.text[heredoc.start :].split("\n")
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
        self._say("open-heredoc", heredoc.start, heredoc.end, message, hint)

    def _questions(self, pipeline: list[Command]) -> None:
        for position, command in enumerate(pipeline):
            name, arguments, by_xargs, start = bare(command)
            if name == "read":
                self._read(command, arguments)
            if name not in INSTALLERS:
                continue
            answered = command.reads or (position > 0 and not by_xargs)
            verb = None if answered else asked_about(name, arguments)
            if verb is None:
                continue
            self._say(
                "install-asks",
                start,
                verb.end,
                f"{name} {verb.value} asks before it goes on, and nobody answers: it fails",
                f"write {name} {verb.value} -y",
                (verb.end, " -y"),
            )

    def _read(self, command: Command, arguments: list[Word]) -> None:
        asks = any(re.match(r"-[a-z]*p", word.value) for word in arguments)
        # What a loop or a function reads, its caller may give it.
        if asks and "<" not in self.text and "|" not in self.text and "(" not in self.text:
            message = "read asks, and nobody answers: there is no terminal"
            hint = "set the variable in the job's environment"
            self._say("install-asks", command.start, command.end, message, hint)

    def _end(self, sequence: Sequence) -> None:
        """Find work whose failure is hidden by a report that always succeeds."""
        commands = list(sequence.commands)
        last = commands[-1] if commands else None
        while commands and _reports(commands[-1]):
            commands.pop()
        if not commands or last is None or commands[-1] is last:
            return
        work = commands[-1]
        name = bare(work).name
        works = name in _PYTHONS or name in _LAUNCHERS or name.endswith(".py")
        is_asked = work.condition or work.compound or self.state.errexit < work.start
        if not works or is_asked or work.joiner not in {";", "\n"}:
            return
        if "$?" in self.text or "trap" in self.text or "PIPESTATUS" in self.text:
            return
        shown = bare(last).name
        self._say(
            "end-hides-failure",
            work.start,
            last.end,
            f"if {name} fails, {shown} hides it, and the job succeeds",
            "put `set -e;` before it, or && between them",
        )

    def _pipeline(self, pipeline: list[Command], sequence: Sequence) -> None:
        if len(pipeline) < 2 or sequence.substitution or "PIPESTATUS" in self.text:
            return
        if pipeline[0].condition or self.state.pipefail < pipeline[0].start:
            return
        names = [bare(command) for command in pipeline]
        last = names[-1].name
        for command, (name, arguments, *_) in zip(pipeline[:-1], names, strict=False):
            called = command.words[0].value if command.words else ""
            works = name in _WORKERS or called.startswith("./") or (name in SHELLS and arguments)
            asks = any(word.value in {"--version", "-V", "--help", "-h"} for word in arguments)
            is_kept = last in _LOGGERS or (last in _FILTERS and _filters(command, pipeline[-1]))
            if (name in _FETCHERS and last in _EATERS) or (works and is_kept and not asks):
                self._say(
                    "pipe-hides-failure",
                    command.start,
                    pipeline[-1].end,
                    f"if {name} fails, the pipe to {last} hides it and the command goes on",
                    "put `set -o pipefail;` before it",
                )
                return

    def _variables(self, name: str, arguments: list[Word]) -> None:
        recursive = name == "rm" and any(re.match(r"-\w*[rR]", word.value) for word in arguments)
        numbers = _compared(arguments) if name in {"test", "["} else set()
        for word in arguments:
            for variable in word.variables:
                if variable.quoted or word in numbers or self.state.holds_no_space(variable):
                    continue
                if _LISTS.fullmatch(variable.name) and name not in {"cd", "test", "["}:
                    continue
                written = self.text[variable.start : variable.end]
                quoted = f'"${{{variable.name}:?}}"' if recursive else f'"{written}"'
                self._say(
                    "unquoted-variable",
                    variable.start,
                    variable.end,
                    f"a space in {written} makes {name} see several arguments"
                    + (", and delete other things" if name == "rm" else ""),
                    f"write {quoted}" + (", which also refuses an empty one" if recursive else ""),
                )

    def _folders(self, sequence: Sequence) -> None:
        unchecked: Command | None = None
        made: set[str] = set()
        for command in sequence.commands:
            name, arguments, *_ = bare(command)
            if name == "mkdir":
                made.update(word.value for word in arguments)
            elif name in {"cd", "pushd"}:
                target = next((w.value for w in arguments if not w.value.startswith("-")), "~")
                sure = target in _SURE or target in made or re.fullmatch(BATCH_FOLDER, target)
                asked = command.condition or command.joiner in {"&&", "||", "|", "|&", "&"}
                unchecked = None if sure or asked or self.state.errexit < command.start else command
            elif name == "rm" and unchecked is not None and _deletes_here(arguments):
                folder = self.text[unchecked.start : unchecked.end]
                deletion = self.text[command.start : command.end]
                self._say(
                    "cd-unchecked",
                    unchecked.start,
                    unchecked.end,
                    f"if {folder} fails, {deletion} deletes elsewhere",
                    f"write {folder} && ...",
                )
                unchecked = None

    def _inner(self, arguments: list[Word]) -> None:
        """Check the text of `bash -c '...'`, where offsets can be told."""
        shell = inner_shell(arguments)
        word = shell.text
        if word is None or self.depth >= 3:
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


def _filters(work: Command, last: Command) -> bool:
    """Return whether a script's output is only shortened, and nobody asks what is in it."""
    runs_script = any(
        word.value.endswith(".py") and not word.value.endswith("setup.py") for word in work.words
    )
    asks = any(_QUESTIONS.fullmatch(word.value) for word in last.words)
    return runs_script and not asks and last.joiner not in {"&&", "||"} and not last.redirections


def _reports(command: Command) -> bool:
    """Return whether a command only says something, and succeeds."""
    if command.compound or command.condition or command.joiner not in {"", ";", "\n"}:
        return False
    return bare(command).name in {"echo", "printf", "date"}


def _compared(arguments: list[Word]) -> set[Word]:
    """Return the arguments of a test that it takes for numbers."""
    found: set[Word] = set()
    for before, operator, after in zip(arguments, arguments[1:], arguments[2:], strict=False):
        if operator.value in _NUMERIC:
            found.update((before, after))
    return found


def _deletes_here(arguments: list[Word]) -> bool:
    """Return whether rm deletes much, relative to the folder it runs in."""
    recursive = any(re.match(r"-\w*[rR]|--recursive", word.value) for word in arguments)
    targets = [word.value for word in arguments if not word.value.startswith("-")]
    return any(
        not target.startswith(("/", "~", "$")) and (recursive or "*" in target)
        for target in targets
    )
