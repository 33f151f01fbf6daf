"""State of the shell that runs a text: the options it sets, and variables that hold no space."""

from __future__ import annotations

import re
from collections.abc import Collection

from bai.linter.shell.bare_commands import ASSIGNMENT, bare
from bai.linter.shell.inner_shells import InnerShell
from bai.linter.shell.word_commands import print_words, without_numbers
from bai.linter.shell.words import Command, Variable, Word

_SPACELESS = re.compile(
    r"AZ_BATCH\w*|OMPI_\w+|PMI_\w+|HOROVOD_\w+|CUDA_\w+|SLURM_\w+|HOME|USER|UID|EUID|HOSTNAME|RANDOM"
    r"|PPID|PWD|OLDPWD|SECONDS|LINENO|TMPDIR|PIPESTATUS|BASHPID|SHLVL|OPTIND|SHELL|LOGNAME"
    r"|EPOCHSECONDS|RANK|LOCAL_RANK|WORLD_SIZE|MASTER_ADDR|MASTER_PORT"
)
_SPLIT_OR_MATCHED = re.compile(r"[\s*?\[]")
"""Marks of several words, and of names of files, which may have spaces."""


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

    def holds_no_space(self, variable: Variable) -> bool:
        """Return whether a variable stays one word without quotes."""
        return self._is_spaceless(variable.name)

    def _is_spaceless(self, name: str) -> bool:
        if name in self._assigned:
            return self._assigned[name]
        return bool(_SPACELESS.fullmatch(name)) or name in self._spaceless

    def _assign(self, name: str, spaceless: bool) -> None:  # noqa: FBT001
        self._assigned[name] = spaceless and self._assigned.get(name, True)

    def _splits_to_words(self, word: Word) -> bool:
        """Return whether `for` takes only single words from a word; it splits unquoted ones."""
        if word.quoted or not self._splits_at_spaces:
            return self._is_one_word(word)
        return not _SPLIT_OR_MATCHED.search(without_numbers(word.value))

    def _is_one_word(self, word: Word) -> bool:
        if word.substitutes:
            written = self._text[word.start : word.end]
            if not print_words(written, self._is_spaceless):
                return False
        if _SPLIT_OR_MATCHED.search(without_numbers(word.value)):
            return False
        return all(self.holds_no_space(variable) for variable in word.variables)
