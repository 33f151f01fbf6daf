"""Scripts that command lines name relative to the directory in which they start."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import TYPE_CHECKING, Final

from bai.linter.facts.scripts import ELSEWHERE, PLAIN_OPTIONS, PYTHON, SHELL

if TYPE_CHECKING:
    from bai.linter.shell.words import Command, Word

_MARKS: Final = (".py", ".sh", "./")
"""What stands in command lines with a script."""
_LAUNCHERS: Final = frozenset(
    {"mpirun", "mpiexec", "horovodrun", "torchrun", "deepspeed", "accelerate"}
)
_SOURCES: Final = frozenset({"source", "."})
_HARMLESS: Final = frozenset(
    {"", "export", "set", "ulimit", "umask", "echo", "printf", "date", "env", "pwd", "ls", "true"}
    | {"pip", "pip3", "conda", "apt", "apt-get", "nvidia-smi", "hostname", "sleep", "mkdir"}
)
"""Commands that bring no script, and change no directory."""
_FILE: Final = re.compile(r"(?:\./)?\w[\w.-]*(?:/\w[\w.-]*)*")
"""A relative path without anything that a shell expands."""


def relative_script(text: str) -> Word | None:
    """Return the script that a command line runs first, if its path is surely relative.

    What stands before it may bring the script, or change the directory: there, None is returned.
    """
    if not any(mark in text for mark in _MARKS):
        return None
    from bai.linter.shell.called_programs import bare
    from bai.linter.shell.lexer import sequences

    for command in sequences(text)[-1].commands:
        called = bare(command)
        if command.compound or command.condition:
            return None
        if called.name not in _HARMLESS or called.by_xargs:
            words = [word for word in command.words if word.start >= called.start]
            return _script(called.name, words)
        if any(word.substitutes for word in command.words) or _writes(command):
            return None
    return None


def _writes(command: Command) -> bool:
    return any(
        ">" in operator and target.value not in {"/dev/null", "1", "2"}
        for _, operator, target in command.redirections
    )


def _script(name: str, words: Sequence[Word]) -> Word | None:
    """Return the script that a command of these words runs, if its path is relative."""
    if not ELSEWHERE.isdisjoint(word.value for word in words):
        return None
    found = next(_candidates(name, words), None)
    is_plain = found is not None and not found.substitutes and not found.variables
    return found if is_plain and found and _FILE.fullmatch(found.value) else None


def _candidates(name: str, words: Sequence[Word]) -> Iterator[Word]:
    """Iterate over the words that may be the script, the likeliest first."""
    if words[0].value.startswith("./"):
        yield words[0]
    elif name in _LAUNCHERS:
        for index, word in enumerate(words[1:], 1):
            if PYTHON.fullmatch(word.value) or SHELL.fullmatch(word.value):
                yield from _candidates(word.value, words[index:])
                return
            if word.value.endswith(".py") or word.value.startswith("./"):
                yield word
                return
    elif name in _SOURCES:
        yield from words[1:2]
    elif PYTHON.fullmatch(name) or SHELL.fullmatch(name):
        rest = list(dropwhile(lambda word: word.value in PLAIN_OPTIONS, words[1:]))
        values = [word.value for word in rest[:2]]
        if values[:1] == ["-m"] and values[-1].startswith("torch.distributed."):
            yield from (word for word in rest if word.value.endswith(".py"))
        else:
            yield from rest[:1]
