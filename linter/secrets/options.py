"""Passwords by their place on a command line: `curl -u me:pw`, `sshpass -p pw`, `mysql -ppw`.

Options named like secrets (`--password`) are found by their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple

from bai.linter.secrets.prefilter import has_password_option
from bai.linter.secrets.values import is_literal
from bai.linter.shell.lexer import sequences
from bai.linter.shell.words import Word

_DEPTH = 2
"""How deep in each other's quotes command lines are looked at: `bash -c "..."`."""


class _Form(Enum):
    VALUE = auto()
    """`-p pw` or `-ppw`."""
    ATTACHED = auto()
    """`-ppw` alone: `-p` asks for the password."""
    PAIR = auto()
    """`-u me:pw` or `-ume:pw`."""


class _Program(NamedTuple):
    options: tuple[str, ...]
    form: _Form
    after: str | None = None
    """The subcommand whose option it is."""
    runs_another: bool = False
    """Whether its first argument is another program, with options of its own."""


_PROGRAMS = {
    name: program
    for names, program in (
        ("curl", _Program(("-u", "-U", "--user", "--proxy-user"), _Form.PAIR)),
        ("sshpass", _Program(("-p",), _Form.VALUE, runs_another=True)),
        ("docker podman nerdctl az", _Program(("-p",), _Form.VALUE, after="login")),
        ("mysql mysqladmin mysqldump mysqlimport mariadb", _Program(("-p",), _Form.ATTACHED)),
        ("mongo mongosh mongodump mongorestore mongoimport", _Program(("-p",), _Form.VALUE)),
        ("redis-cli", _Program(("-a", "--pass"), _Form.VALUE)),
        ("sqlcmd zip unzip", _Program(("-P",), _Form.VALUE)),
        ("7z 7za 7zr", _Program(("-p",), _Form.ATTACHED)),
    )
    for name in names.split()
}
_CURL_FLAGS = frozenset("#0123456afgijklnpqsvGIJLNORSZ")
"""curl's options of one letter without a value, which may stand before another: `-sSu`."""


def passwords(text: str) -> Iterator[tuple[int, int]]:
    """Iterate over the ranges of passwords in shell text that are known by their place."""
    todo = [(text, 0, 0)]
    while todo:
        inner, offset, depth = todo.pop()
        if not has_password_option(inner):
            continue
        for sequence in sequences(inner):
            for command in sequence.commands:
                for start, end in _of_words(command.words, inner):
                    yield offset + start, offset + end
                for word in command.words:
                    if word.quoted and depth < _DEPTH:
                        start, end = _unquoted(inner, word.start, word.end)
                        if " " in inner[start:end]:
                            todo.append((inner[start:end], offset + start, depth + 1))


def _of_words(words: Sequence[Word], text: str) -> Iterator[tuple[int, int]]:
    program: _Program | None = None
    entered = False
    awaited = False
    for word in words:
        value = word.value
        if awaited:
            assert program
            awaited = False
            yield from _range(text, word.start, word.end, program.form)
        elif found := _PROGRAMS.get(value.rsplit("/", 1)[-1]):
            program, entered = found, found.after is None
        elif program is None:
            continue
        elif not value.startswith("-"):
            if program.runs_another:
                program = None
            entered = entered or value == program.after if program else False
        elif entered and (length := _option(program, value)):
            if length < len(value):
                yield from _range(text, word.start + length, word.end, program.form)
            else:
                awaited = program.form is not _Form.ATTACHED


def _option(program: _Program, value: str) -> int:
    """Return how many characters of a word are an option for a password; 0 if it is another."""
    for option in program.options:
        if option.startswith("--"):
            if value == option or value.startswith(f"{option}="):
                return len(option) + (value != option)
        elif value.startswith(option):
            return len(option)
        elif value[-1] == option[1] and _CURL_FLAGS.issuperset(value[1:-1]):
            # A letter behind others (`-su`), which only curl is known to take.
            return len(value) if program.form is _Form.PAIR else 0
    return 0


def _range(text: str, start: int, end: int, form: _Form) -> Iterator[tuple[int, int]]:
    if form is _Form.PAIR:
        colon = text.find(":", start, end)
        if colon < 0:
            return
        start = colon + 1
    start, end = _unquoted(text, start, end)
    part = text[start:end]
    if part and "$" not in part and is_literal(part, password=True, phrase=True):
        yield start, end


def _unquoted(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a range without the quotes around it, also if they are escaped."""
    while start < end and text[start] in "\\\"'":
        start += 1
    while start < end and text[end - 1] in "\\\"'":
        end -= 1
    return start, end
