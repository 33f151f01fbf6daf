"""Whether a job may create a file that is missing in a mounted folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from bai.linter.facts.command_lines import command_lines

if TYPE_CHECKING:
    from bai.linter.context import RuleContext
    from bai.linter.facts.scripts import Script
    from bai.specs.findings import Path

_BETWEEN: Final = re.compile(r"&&|;|\n")
_INSTALLERS: Final = frozenset({"pip", "pip3", "apt", "apt-get"})
_INTO_FOLDERS: Final = ("-t", "--t", "-e", "--e", "--prefix", "--root", "--src")
"""How options begin with which pip writes to folders that one chooses."""


def may_be_made(context: RuleContext, file: Script) -> bool:
    """Return whether a command that runs before the file is needed may create it."""
    holders = [file.resource]
    if cluster := context.cluster_of(file.resource):
        holders.append(cluster)
    texts = [
        _before(file, text) if path == file.path else text
        for holder in holders
        for path, text in command_lines(holder)
        if not _is_later(path, file) and not makes_nothing(text)
    ]
    texts = [plain for text in texts if "$" in (plain := _plain(text))]
    return bool(texts) and any(way.search(text) for way in _ways(file) for text in texts)


def _is_later(path: Path, file: Script) -> bool:
    """Return whether a command line runs after the preparation that needs a file."""
    return "jobPreparation" in file.path and path != file.path and "setupTask" not in path


def makes_nothing(text: str) -> bool:
    """Return whether a command line only enters folders and installs packages."""
    if any(mark in text for mark in "|<>`("):
        return False
    for words in map(str.split, _BETWEEN.split(text)):
        is_install = "install" in words[1:2] and words[0] in _INSTALLERS
        if is_install and not any(word.startswith(_INTO_FOLDERS) for word in words):
            continue
        if words and words[0] != "cd":
            return False
    return True


def _before(file: Script, text: str) -> str:
    """Return the commands before a file in its own command line, if they may create files."""
    before = text[: file.inside[0]] if file.inside else ""
    own = _BETWEEN.split(before)[-1]
    is_entering = not any(mark in own for mark in "&|<>")
    return "" if is_entering and makes_nothing(before.removesuffix(own)) else before


def _ways(file: Script) -> Iterator[re.Pattern[str]]:
    """Iterate over patterns of paths to a file's mount: its path, its root, and its variables."""
    yield re.compile(re.escape(file.mount))
    root = file.mount.split("/")[0]
    # `cd $AZ_BATCHAI_JOB_MOUNT_ROOT` leads to all mounts.
    yield re.compile(re.escape(root) + r"(?!\w|/[\w.-])")
    job = file.resource
    for key, word in ("inputDirectories", "INPUT"), ("outputDirectories", "OUTPUT"):
        for where, entry in job.entries("properties", key):
            path = entry.get("path", entry.get("pathPrefix"))
            if (*where, "path") == file.path:
                # A command that uses a missing input does not create it.
                continue
            yield from _way(f"AZ_BATCHAI_{word}_{entry.get('id')}", path, file)
    for _, entry in job.entries("properties", "environmentVariables"):
        yield from _way(entry.get("name"), entry.get("value"), file)


def _way(name: object, value: object, file: Script) -> Iterator[re.Pattern[str]]:
    """Iterate over patterns of a variable that holds a path to a file's mount."""
    if isinstance(value, str) and file.mount in _plain(value):
        yield re.compile(rf"\${re.escape(str(name))}(?!\w)")


def _plain(text: str) -> str:
    return text.replace("{", "").replace("}", "")
