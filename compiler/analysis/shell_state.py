"""What shell text says of itself: the options it sets, and which variables never hold a space."""

from __future__ import annotations

import re
from collections.abc import Collection

from bai.compiler.analysis.bare_commands import ASSIGNMENT, bare
from bai.compiler.analysis.inner_shells import InnerShell
from bai.compiler.analysis.shell_words import Command, Variable, Word

_SPACELESS = re.compile(
    r"AZ_BATCH\w*|OMPI_\w+|PMI_\w+|HOROVOD_\w+|CUDA_\w+|SLURM_\w+|HOME|USER|UID|EUID|HOSTNAME|RANDOM"
    r"|PPID|PWD|OLDPWD|SECONDS|LINENO|TMPDIR"
)
_WORDS_ONLY = re.compile(r"\b(?:mktemp|nproc|hostname|whoami|pwd)\b")
"""Commands that print one word."""


class ShellState:
    """What is known of the shell that runs a text."""

    def __init__(self, text: str, spaceless: Collection[str], shell: InnerShell) -> None:
        self._text = text
        self._spaceless = spaceless
        self._assigned: dict[str, bool] = {}
        """Variables that the text itself sets: whether they hold no spaces."""
        self.pipefail = -1 if shell.pipefail else len(text)
        self.errexit = -1 if shell.errexit else len(text)
        """Behind which character the shell's options are set."""

    def learn(self, command: Command) -> None:
        """Take in what a command sets."""
        name, arguments, *_ = bare(command)
        values = [word.value for word in arguments]
        if name in {"set", "shopt"}:
            if "pipefail" in values:
                self.pipefail = min(self.pipefail, command.start)
            if "errexit" in values or any(re.match(r"-[a-z]*e", value) for value in values):
                self.errexit = min(self.errexit, command.start)
        elif name == "for" and arguments:
            self._assign(values[0], all(self._is_one_word(word) for word in arguments[2:]))
        elif name == "read":
            for value in values:
                self._assign(value, spaceless=False)
        for word in command.words:
            if match := ASSIGNMENT.match(word.value):
                self._assign(match[1], self._is_one_word(word))

    def holds_no_space(self, variable: Variable) -> bool:
        """Return whether a variable stays one word without quotes."""
        name = variable.name
        if name in self._assigned:
            return self._assigned[name]
        return bool(_SPACELESS.fullmatch(name)) or name in self._spaceless

    def _assign(self, name: str, spaceless: bool) -> None:  # noqa: FBT001
        self._assigned[name] = spaceless and self._assigned.get(name, True)

    def _is_one_word(self, word: Word) -> bool:
        literal = word.value
        if word.substitutes and not _WORDS_ONLY.search(self._text, word.start, word.end):
            return False
        if re.search(r"[\s*?\[]", literal):
            return False
        return all(self.holds_no_space(variable) for variable in word.variables)
