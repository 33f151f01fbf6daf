"""State of the shell that runs a text: the options it sets, and variables that hold no space."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from bai.linter.shell.called_programs import ASSIGNMENT, InnerShell, bare
from bai.linter.shell.words import Command, Word

_SPACELESS = re.compile(
    r"AZ_BATCH\w*|OMPI_\w+|PMI_\w+|HOROVOD_\w+|CUDA_\w+|SLURM_\w+|HOME|USER|UID|EUID|HOSTNAME|RANDOM"
    r"|PPID|PWD|OLDPWD|SECONDS|LINENO|TMPDIR|PIPESTATUS|BASHPID|SHLVL|OPTIND|SHELL|LOGNAME"
    r"|EPOCHSECONDS|RANK|LOCAL_RANK|WORLD_SIZE|MASTER_ADDR|MASTER_PORT"
)
_SPLIT_OR_MATCHED = re.compile(r"[\s*?\[]")
"""Marks of several words, and of names of files, which may have spaces."""
_MAX_LENGTH = 500
"""Longer commands, in characters, are not looked at."""
_DEPTH = 3
"""How many substitutions within each other are looked at."""

_NUMBER = re.compile(
    r"\$\(\((?:[^()]|\([^()]*\))*+\)\)|\$[?#!$]|\$\{(?:[?#!$]|#\w+(?:\[[@*]\])?|PIPESTATUS\[[^\]]*\])\}"
)
"""Arithmetic, `$?`, `$#`, `$!`, `$$`, `${#NAME}`, ..."""
_SUBSTITUTION = re.compile(r"\$\(([^()`]*)\)|`([^()`]*)`")
_UNKNOWN = re.compile(r"\$\(|`|\$[0-9@*]|\$\{[^A-Za-z_]")
"""Expansions that are no variables with names."""
_NAME = re.compile(r"\$\{?([A-Za-z_]\w*)", re.ASCII)

_PRINTS_WORD = re.compile(r"\b(?:mktemp|nproc|hostname|whoami|pwd)\b")
_BETWEEN = re.compile(r"\|\||&&|;|\n")
_ERRORS = re.compile(r"\s*2>\s*(?:/dev/null|&1)\s*")
_ONE_WORD = re.compile(
    r"""
      wc\s+-[clmwL](?:\s*<.*)?
    | grep\s(?:.*\s)?(?:-\w*c\w*|--count)\s.*
    | date\s(?:.*\s)?["']?\+["']?(?!\S*%c)[^\s"']+["']?
    | id\s+-[ugn]+(?:\s.*)? | uname(?:\s+-[mnrs])? | arch | uuidgen | expr\s.* | getconf\s.*
    | lsb_release\s+-\w*s\w* | git\s+(?:rev-parse|describe)\b.* | stat\s+-c\s*["']?%\w["']?\s.*
    | which\s+\S+ | command\s+-v\s+\S+ | echo\s+[^\s$`]+ | printf\s+["']?%0?\d*[dxX]["']?\s+\S+
    | awk\s+'\s*\{\s*print\s+\$(?:\d+|NF)\s*;?\s*\}\s*' | cut\s+-d\s*(?:'\ '|"\ ")\s*-f\s*\d+
    | cd\b.* | true
    """,
    re.VERBOSE,
)
"""The last command of a pipe that prints one word, or nothing."""
_PARTS_OF_PATHS = re.compile(r"(?:basename|dirname|realpath|readlink)\s.*")
"""Commands that print a part of what they get."""


class ShellState:
    """What is known of the shell that runs a text."""

    def __init__(self, text: str, spaceless: Collection[str], shell: InnerShell) -> None:
        self._text = text
        self._spaceless = spaceless
        self._assigned: dict[str, bool] = {}
        """Variables that the text itself sets: whether they hold no spaces."""
        self._splits_at_spaces = "IFS" not in text
        self.pipefail = -1 if shell.pipefail else len(text)
        self.errexit = -1 if shell.errexit else len(text)
        """Behind which character the shell's options are set."""

    def learn(self, command: Command) -> None:
        """Note what a command sets."""
        name, arguments, *_ = bare(command)
        values = [word.value for word in arguments]
        if name in {"set", "shopt"}:
            if "pipefail" in values:
                self.pipefail = min(self.pipefail, command.start)
            if "errexit" in values or any(re.match(r"-[a-z]*e", value) for value in values):
                self.errexit = min(self.errexit, command.start)
        elif name == "for" and arguments:
            self._assign(values[0], all(map(self._splits_to_words, arguments[2:])))
        elif name == "read":
            for value in values[:-1]:
                self._assign(value, spaceless=self._splits_at_spaces)
            if values:  # the last one takes the rest of the line
                self._assign(values[-1], spaceless=False)
        for word in command.words:
            if match := ASSIGNMENT.match(word.value):
                self._assign(match[1], self._is_one_word(word))

    def holds_no_space(self, name: str) -> bool:
        """Return whether a variable stays one word without quotes."""
        if name in self._assigned:
            return self._assigned[name]
        return bool(_SPACELESS.fullmatch(name)) or name in self._spaceless

    def _assign(self, name: str, spaceless: bool) -> None:  # noqa: FBT001
        self._assigned[name] = spaceless and self._assigned.get(name, True)

    def _splits_to_words(self, word: Word) -> bool:
        """Return whether `for` takes only single words from a word; it splits unquoted ones."""
        if word.quoted or not self._splits_at_spaces:
            return self._is_one_word(word)
        return not _SPLIT_OR_MATCHED.search(_without_numbers(word.value))

    def _is_one_word(self, word: Word) -> bool:
        if word.substitutes:
            written = self._text[word.start : word.end]
            if not _print_words(written, self.holds_no_space):
                return False
        if _SPLIT_OR_MATCHED.search(_without_numbers(word.value)):
            return False
        return all(self.holds_no_space(variable.name) for variable in word.variables)


def _without_numbers(text: str) -> str:
    """Return `text` without the expansions that are always numbers."""
    return _NUMBER.sub("0", text)


def _print_words(word: str, is_spaceless: Callable[[str], bool]) -> bool:
    """Return whether all expansions in a word, but for variables with names, give one word.

    `is_spaceless` returns for the name of a variable whether it holds no space.
    """
    rest = _without_numbers(word)

    def known(match: re.Match[str]) -> str:
        command = match[1] if match[1] is not None else match[2]
        return "0" if _prints_word(command, is_spaceless) else match[0]

    for _ in range(_DEPTH):
        rest = _SUBSTITUTION.sub(known, rest)
    return not _UNKNOWN.search(rest)


def _prints_word(command: str, is_spaceless: Callable[[str], bool]) -> bool:
    if len(command) > _MAX_LENGTH:
        return False
    if _PRINTS_WORD.search(command):
        return True
    for part in _BETWEEN.split(_ERRORS.sub(" ", command)):
        last = part.rpartition("|")[2].strip()
        if _PARTS_OF_PATHS.fullmatch(last):
            if _UNKNOWN.search(last) or not all(map(is_spaceless, _NAME.findall(last))):
                return False
        elif not _ONE_WORD.fullmatch(last):
            return False
    return True
