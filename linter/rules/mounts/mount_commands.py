"""BAI514: the mount path can be appended to the command of an unmanaged mount."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bai.linter.facts.volumes import UNMANAGED, Volume
from bai.linter.rules.mounts.volume_rule import volume_rule
from bai.linter.violation import Violation

_TAKE_VALUE: Final = frozenset(("-t", "-o", "-O", "-N", "--types", "--options", "--namespace"))
_SOURCES: Final = frozenset(("-L", "-U", "--label", "--uuid", "--source"))
"""Options of mount whose value is what to mount."""
_SEPARATORS: Final = frozenset((";", "&", "&&", "|", "||", ";;"))
_SOURCE_AND_TARGET: Final = 2
_LONGEST: Final = 4096
"""Characters of a command that is looked into: to take a text apart as a shell does is slow."""


@volume_rule("BAI514", UNMANAGED, keys=("mountCommand",))
def mount_commands(volume: Volume) -> Iterator[Violation]:
    command = volume.text("mountCommand")
    if command and (found := _wrong(command)):
        yield Violation(volume.at("mountCommand"), *found)


def _wrong(command: str) -> tuple[str, str] | None:
    """Return (message, hint) about a mount command; None if nothing is certainly wrong."""
    words = _last_command(command)
    if words is None:
        return None
    if not words:
        message = "the service appends the mount path, which would be a command of its own"
        return message, "let the text end with the command that mounts"
    if words[0] == "sudo":
        words = words[1:]
    if not words or not (words[0] == "mount" or words[0].startswith("mount.")):
        return None
    target = _target(words[1:])
    if target is None:
        return None
    message = f"the mount command names its mount path {target!r}"
    return message, "leave it out: the service appends it"


def _last_command(text: str) -> list[str] | None:
    """Return the words of the last command; None if it has anything but plain words."""
    if len(text) > _LONGEST or any(character in text for character in "`()<>\\"):
        return None
    if not any(character in text for character in "'\";&|"):
        return text.split()
    import shlex  # only mount commands need it

    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return None
    for index in range(len(words) - 1, -1, -1):
        if words[index] in _SEPARATORS:
            return words[index + 1 :]
    return words


def _target(words: Sequence[str]) -> str | None:
    """Return the target directory in the arguments of `mount`; None if there is none."""
    places: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _SOURCES:
            places.append(next(rest, ""))
        elif word in _TAKE_VALUE:
            next(rest, None)
        elif not word.startswith("-"):
            places.append(word)
    return places[-1] if len(places) >= _SOURCE_AND_TARGET else None
