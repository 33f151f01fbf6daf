"""The scripts and inputs of jobs that lie in folders of this machine."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.memo import memo
from bai.linter.facts.volumes import bound_folders
from bai.linter.resource_view import ResourceView
from bai.linter.violation import Place, Range
from bai.specs.findings import Path

if TYPE_CHECKING:
    from bai.linter.shell.words import Command, Word

_FILE_KEYS: Final = {"pythonScriptFilePath": "script", "configFilePath": "config file"}
"""Wire key of a toolkit -> what the file is called."""
PYTHON: Final = re.compile(r"(?:.*/)?python(?:3(?:\.\d+)?)?")
SHELL: Final = re.compile(r"(?:.*/)?(?:ba|da|z|k)?sh")
_PIP: Final = re.compile(r"(?:.*/)?pip(?:3(?:\.\d+)?)?")
_OF_REQUIREMENTS: Final = frozenset({"-r", "--requirement", "-c", "--constraint"})
_LAUNCHERS: Final = frozenset({"mpirun", "mpiexec", "horovodrun"})
ELSEWHERE: Final = frozenset(
    "docker nvidia-docker singularity ssh srun chroot -C -wd -wdir --wdir --chdir".split()  # noqa: SIM905
)
"""Words with which a command may run in another folder than the one it is called in."""
_ROOTED: Final = re.compile(
    r"\$(?P<brace>\{)?AZ_BATCHAI_(?:(?P<root>(?:JOB_)?MOUNT_ROOT)|INPUT_(?P<input>\w+))"
    r"(?(brace)\})(?=/|$)"
)
"""How a path begins that leads to a mount."""
PLAIN_OPTIONS: Final = frozenset({"-u", "-e", "-x", "-ex", "-xe", "-eu", "-eux", "-O", "-B"})
"""Options of Python and of shells after which the script may come."""
_LONGEST: Final = 20_000
"""Longer command lines, in characters, are not looked through."""


class Script(NamedTuple):
    """A file that a job runs or reads."""

    resource: ResourceView
    path: Path
    """Where the text that names it stands."""
    inside: tuple[int, int] | None
    """The range of that text, if the text says more."""
    what: str
    """`script`, `config file`, `requirements file`, or the id of an input."""
    is_python: bool
    """Whether it is run by Python 3, or by the `python` of the node."""
    gang: bool
    """Whether several processes may run it, and meet by MPI or Horovod."""
    folder: str
    """The mounted folder of this machine."""
    file: str
    """The absolute path on this machine."""
    mount: str
    """The path of the mounted folder on a node."""

    @property
    def place(self) -> Place:
        """The place of violations about the file."""
        return Range(self.path, *self.inside) if self.inside else self.path

    @property
    def name(self) -> str:
        """The file's name."""
        return posixpath.basename(self.file)


class _Mount(NamedTuple):
    path: str
    """Normal path below the mount root."""
    root: str
    """`JOB_MOUNT_ROOT` or `MOUNT_ROOT`."""
    folder: str


_Location = tuple[str, str, str]
"""Where a file is: `folder`, `file` and `mount` of `Script`."""


class _Named(NamedTuple):
    """How a text names a file: the fields of `Script`."""

    path: Path
    inside: tuple[int, int] | None
    what: str
    is_python: bool
    gang: bool


@memo
def scripts(resource: ResourceView, context: RuleContext) -> Sequence[Script]:
    """Return the scripts of a job or a cluster in mounted folders, including missing ones."""
    mounts = _all_mounts(context, resource)
    return [
        Script(resource, *named, *location)
        for text, named in (_named(resource) if mounts else ())
        if (location := _location(resource, mounts, text))
    ]


def inputs(job: ResourceView, context: RuleContext) -> Iterator[Script]:
    """Iterate over a job's inputs in mounted folders, including missing ones."""
    if not job.get("properties", "inputDirectories") or not (mounts := _all_mounts(context, job)):
        return
    for path, entry in job.entries("properties", "inputDirectories"):
        name, text = entry.get("id"), entry.get("path")
        if not isinstance(name, str) or not isinstance(text, str):
            continue
        if location := _location(job, mounts, text):
            named = _Named((*path, "path"), None, name, is_python=False, gang=False)
            yield Script(job, *named, *location)


def _all_mounts(context: RuleContext, resource: ResourceView) -> list[_Mount]:
    """Return the mounts of a job and its cluster, or of a cluster."""
    if resource.kind is not Kind.JOB:
        return [*_mounts(resource, "MOUNT_ROOT")]
    cluster = context.cluster_of(resource)
    of_cluster = _mounts(cluster, "MOUNT_ROOT") if cluster else ()
    return [*_mounts(resource, "JOB_MOUNT_ROOT"), *of_cluster]


def _mounts(resource: ResourceView, root: str) -> Iterator[_Mount]:
    for path, folder in bound_folders(resource):
        yield _Mount(posixpath.normpath(path), root, posixpath.normpath(folder))


def _named(resource: ResourceView) -> Iterator[tuple[str, _Named]]:
    properties = resource.mapping("properties") if resource.kind is Kind.JOB else {}
    for name, settings in properties.items():
        if type(settings) is not dict or not name.endswith("Settings"):
            continue
        python = settings.get("pythonInterpreterPath")
        is_python = python is None or (isinstance(python, str) and PYTHON.fullmatch(python))
        for key, what in _FILE_KEYS.items():
            if isinstance(text := settings.get(key), str):
                path: Path = ("properties", name, key)
                runs_python = key == "pythonScriptFilePath" and bool(is_python)
                yield text, _Named(path, None, what, runs_python, name == "horovodSettings")
    start = resource.code.path if resource.code else ""
    for path, text in command_lines(resource):
        if (start or "/" in text or "cd " in text) and len(text) < _LONGEST:
            yield from _in_command(text, path, start, gang="customMpiSettings" in path)


def _in_command(text: str, path: Path, start: str, *, gang: bool) -> Iterator[tuple[str, _Named]]:
    """Find `python FILE`, `bash FILE` and `pip install -r FILE` in a command line.

    It runs in the folder `start`, empty if that has no files.
    """
    from bai.linter.shell.lexer import sequences

    for sequence in sequences(text):
        folder = start
        for command in sequence.commands:
            words = command.words
            values = [word.value for word in words]
            if "cd" in values or "pushd" in values:
                folder = _entered(command, folder)
            in_folder = "" if ELSEWHERE.intersection(values) else folder
            yield from _requirements(words, path, in_folder)
            launched = gang or not _LAUNCHERS.isdisjoint(values)
            for index, value in enumerate(values[:-1]):
                is_python = PYTHON.fullmatch(value) is not None
                if not is_python and not SHELL.fullmatch(value):
                    continue
                rest = index + 1
                while rest < len(values) - 1 and values[rest] in PLAIN_OPTIONS:
                    rest += 1
                word = words[rest]
                if not word.substitutes and not values[rest].startswith("-"):
                    inside = (word.start, word.end)
                    named = _Named(path, inside, "script", is_python, launched)
                    yield _from(in_folder, values[rest]), named
                break


def _entered(command: Command, folder: str) -> str:
    """Return the folder after a command with `cd`, empty if that is unknown."""
    words = command.words
    is_plain = len(words) == 2 and words[0].value == "cd" and not words[1].substitutes
    if not is_plain or command.condition or command.joiner not in {"&&", ";", "\n"}:
        return ""
    return _from(folder, words[1].value)


def _from(folder: str, path: str) -> str:
    """Return a command's path joined to its folder, unchanged if the folder is unknown."""
    is_relative = folder and not path.startswith(("/", "$", "~", "-"))
    return f"{folder}/{path}" if is_relative else path


def _requirements(words: Sequence[Word], path: Path, folder: str) -> Iterator[tuple[str, _Named]]:
    """Find the files that pip reads requirements from."""
    values = [word.value for word in words]
    if "install" not in values or not any(_PIP.fullmatch(value) for value in values):
        return
    for option, word in pairwise(words):
        if option.value in _OF_REQUIREMENTS and not word.substitutes:
            inside = (word.start, word.end)
            named = _Named(path, inside, "requirements file", is_python=False, gang=False)
            yield _from(folder, word.value), named


def _location(resource: ResourceView, mounts: list[_Mount], text: str) -> _Location | None:
    """Return the location that a path leads to; None if it is not in a mounted folder."""
    for _ in range(3):  # an input may be below another one
        match = _ROOTED.match(text)
        if match is None:
            return None
        if match["root"]:
            return _below(match["root"], mounts, text[match.end() :])
        inputs = resource.entries("properties", "inputDirectories")
        found = (entry.get("path") for _, entry in inputs if entry.get("id") == match["input"])
        path = next(found, None)
        if not isinstance(path, str):
            return None
        text = path + text[match.end() :]
    return None


def _below(root: str, mounts: list[_Mount], path: str) -> _Location | None:
    """Return the location that a path below a mount root leads to."""
    path = posixpath.normpath(path.lstrip("/"))
    if any(mark in path for mark in "$`*?[{~") or path.startswith(".."):
        return None
    of_root = [mount for mount in mounts if mount.root == root]
    above = [mount for mount in of_root if f"{path}/".startswith(f"{mount.path}/")]
    if not above:
        return None
    mount = max(above, key=lambda each: len(each.path))
    rest = path[len(mount.path) + 1 :]
    file = posixpath.join(mount.folder, rest) if rest else mount.folder
    return mount.folder, file, f"$AZ_BATCHAI_{root}/{mount.path}"
