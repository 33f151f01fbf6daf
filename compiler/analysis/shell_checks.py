"""The checks behind `shell.mistakes`, over the commands that `shell_words` reads."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from typing import NamedTuple

from bai.compiler.analysis.shell import Mistake
from bai.compiler.analysis.shell_words import (
    Command,
    Sequence,
    Variable,
    Word,
    pipelines,
    sequences,
)

_APT_CHANGES = frozenset(
    "install remove purge autoremove autopurge upgrade dist-upgrade full-upgrade build-dep".split()  # noqa: SIM905
)
_APT_TRIALS = frozenset({"--simulate", "--dry-run", "--just-print", "--no-act", "--recon"})
_APT_ANSWERS = frozenset({"--yes", "--assume-yes", "--assume-no", "--force-yes"})
_APT_SILENT = _APT_TRIALS | _APT_ANSWERS | {"--quiet=2", "-q=2"}
"""Options with which apt asks nothing, beside -y, -qq (which implies it) and -s (a trial)."""

_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_PYTHONS = frozenset({"python", "python2", "python3"})
_FETCHERS = frozenset({"curl", "wget"})
_UNPACKERS = frozenset({"tar", "gunzip", "cpio", "unzip"})
_EATERS = _SHELLS | _PYTHONS | _UNPACKERS | {"perl", "tee"}
"""What content of the net is piped to; given nothing, shells and tee report success."""
_LAUNCHERS = frozenset({"mpirun", "mpiexec", "horovodrun", "torchrun"})
_BUILDERS = frozenset({"make", "cmake", "nvcc", "pip", "pip3", "conda", "apt", "apt-get", "docker"})
_WORKERS = _PYTHONS | _LAUNCHERS | _BUILDERS
_LOGGERS = frozenset({"tee", "ts", "logger", "awk", "gawk", "sed"})
"""What the output of work is piped to only to be kept or changed."""

_FRAGILE = frozenset({"rm", "rmdir", "cp", "mv", "cd", "mkdir", "test", "["})
_SPACELESS = re.compile(
    r"AZ_BATCH\w*|OMPI_\w+|PMI_\w+|HOROVOD_\w+|CUDA_\w+|SLURM_\w+|HOME|USER|UID|EUID|HOSTNAME|RANDOM"
    r"|PPID|PWD|OLDPWD|SECONDS|LINENO|TMPDIR"
)
_LISTS = re.compile(r"(?i:.*(?:files|list|args|opts|options|flags|dirs|paths))")
"""Names of variables that are meant to fall apart."""
_OPTIONS = re.compile(r"(?i)opt|flag|arg|yes")
"""In names of variables that may hold options."""
_WORDS_ONLY = re.compile(r"\b(?:mktemp|nproc|hostname|whoami|pwd)\b")
"""Commands that print one word."""

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\+?=", re.ASCII)
_WRAPPERS = frozenset(
    "sudo env nice ionice nohup time command builtin exec stdbuf timeout xargs numactl".split()  # noqa: SIM905
)
_TAKES_VALUE = frozenset({"-u", "-g", "-n", "-k", "-s", "-c", "-I", "-L", "-P", "-d"})
_NUMBER = re.compile(r"\d+(?:\.\d+)?[smhd]?")


class _Bare(NamedTuple):
    """A command without the assignments and the wrappers (sudo, timeout, ...) before it."""

    name: str
    arguments: list[Word]
    by_xargs: bool
    start: int
    """Where the name stands."""


def _bare(command: Command) -> _Bare:
    words = list(reversed(command.words))
    wrapped = by_xargs = False
    while words:
        value = words[-1].value
        if _ASSIGNMENT.match(value):
            words.pop()
        elif wrapped and value.startswith("-"):
            words.pop()
            if value in _TAKES_VALUE and words:
                words.pop()
        elif wrapped and _NUMBER.fullmatch(value):
            words.pop()
        elif (name := value.rsplit("/", 1)[-1]) in _WRAPPERS:
            words.pop()
            wrapped = True
            by_xargs |= name == "xargs"
        else:
            start = words.pop().start
            return _Bare(name, words[::-1], by_xargs, start)
    return _Bare("", [], by_xargs, command.start)


class Checker:
    """Checks one text, and the texts of `bash -c` within it, which stand at an `offset`."""

    def __init__(self, text: str, spaceless: Collection[str], offset: int = 0, depth: int = 0):
        self.text = text
        self.spaceless = spaceless
        self.offset = offset
        self.depth = depth
        self.found: list[Mistake] = []
        self.assigned: dict[str, bool] = {}
        """Variables that the text itself sets: whether they hold no spaces."""
        self.pipefail = self.errexit = len(text)
        """From where on the shell's options are set."""

    def run(self) -> list[Mistake]:
        """Return the mistakes, in no order."""
        parsed = sequences(self.text)
        commands = [command for sequence in parsed for command in sequence.commands]
        commands.sort(key=lambda command: command.start)
        for command in commands:
            self._learn(command)
        quiet_apt = "assume-yes" in self.text.lower()
        for command in commands:
            name, arguments, *_ = _bare(command)
            if name in _FRAGILE:
                self._variables(name, arguments)
            elif name in _SHELLS:
                self._inner(arguments)
        for sequence in parsed:
            self._folders(sequence)
            for pipeline in pipelines(sequence):
                self._pipeline(pipeline, sequence)
                if not quiet_apt:
                    self._apt(pipeline)
        return self.found

    def _say(
        self,
        kind: str,
        start: int,
        end: int,
        message: str,
        hint: str,
        insertion: tuple[int, str] | None = None,
    ) -> None:
        if insertion:
            insertion = (insertion[0] + self.offset, insertion[1])
        place = (start + self.offset, end + self.offset)
        self.found.append(Mistake(kind, *place, message, hint, insertion))

    # What the text says of itself

    def _learn(self, command: Command) -> None:
        name, arguments, *_ = _bare(command)
        values = [word.value for word in arguments]
        if name in {"set", "shopt"}:
            if "pipefail" in values:
                self.pipefail = min(self.pipefail, command.start)
            if "errexit" in values or any(re.match(r"-[a-z]*e", value) for value in values):
                self.errexit = min(self.errexit, command.start)
        elif name == "for" and arguments:
            self._assign(values[0], all(self._holds_no_space(word) for word in arguments[2:]))
        elif name == "read":
            for value in values:
                self._assign(value, spaceless=False)
        for word in command.words:
            if match := _ASSIGNMENT.match(word.value):
                self._assign(match[1], self._holds_no_space(word))

    def _assign(self, name: str, spaceless: bool) -> None:  # noqa: FBT001
        self.assigned[name] = spaceless and self.assigned.get(name, True)

    def _holds_no_space(self, word: Word) -> bool:
        literal = word.value
        if word.substitutes and not _WORDS_ONLY.search(self.text, word.start, word.end):
            return False
        if re.search(r"[\s*?\[]", literal):
            return False
        return all(self._is_safe(variable) for variable in word.variables)

    def _is_safe(self, variable: Variable) -> bool:
        name = variable.name
        if name in self.assigned:
            return self.assigned[name]
        return bool(_SPACELESS.fullmatch(name)) or name in self.spaceless

    # The checks

    def _apt(self, pipeline: list[Command]) -> None:
        for position, command in enumerate(pipeline):
            name, arguments, by_xargs, start = _bare(command)
            if name not in {"apt", "apt-get", "aptitude"}:
                continue
            answered = command.reads or (position > 0 and not by_xargs)
            verb = _apt_verb(arguments)
            if answered or verb is None or any(_silences_apt(word.value) for word in arguments):
                continue
            variables = [variable.name for word in arguments for variable in word.variables]
            if any(_OPTIONS.search(variable) for variable in variables):
                continue
            self._say(
                "apt-asks",
                start,
                verb.end,
                f"{name} {verb.value} asks before it goes on, and nobody answers: it fails",
                f"write {name} {verb.value} -y",
                (verb.end, " -y"),
            )

    def _pipeline(self, pipeline: list[Command], sequence: Sequence) -> None:
        if len(pipeline) < 2 or sequence.substitution or "PIPESTATUS" in self.text:
            return
        if pipeline[0].condition or self.pipefail < pipeline[0].start:
            return
        names = [_bare(command) for command in pipeline]
        last = names[-1].name
        for command, (name, arguments, *_) in zip(pipeline[:-1], names, strict=False):
            called = command.words[0].value if command.words else ""
            works = name in _WORKERS or called.startswith("./") or (name in _SHELLS and arguments)
            asks = any(word.value in {"--version", "-V", "--help", "-h"} for word in arguments)
            if (name in _FETCHERS and last in _EATERS) or (works and last in _LOGGERS and not asks):
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
        for word in arguments:
            for variable in word.variables:
                if variable.quoted or self._is_safe(variable):
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
            name, arguments, *_ = _bare(command)
            if name == "mkdir":
                made.update(word.value for word in arguments)
            elif name in {"cd", "pushd"}:
                target = next((w.value for w in arguments if not w.value.startswith("-")), "~")
                sure = target in {"~", "/", "/tmp", ".", "..", "$HOME", "${HOME}"} or target in made  # noqa: S108
                asked = command.condition or command.joiner in {"&&", "||", "|", "|&", "&"}
                unchecked = None if sure or asked or self.errexit < command.start else command
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
        for option, word in pairwise(arguments):
            if not re.fullmatch(r"-[a-z]*c", option.value) or self.depth >= 3:
                continue
            written = self.text[word.start : word.end]
            inner = written[1:-1]
            if len(written) < 2 or written[0] not in "'\"" or written[-1] != written[0]:
                return
            if written[0] in inner or (written[0] == '"' and "\\" in inner):
                return
            offset = self.offset + word.start + 1
            self.found += Checker(inner, self.spaceless, offset, self.depth + 1).run()
            return


def _apt_verb(arguments: list[Word]) -> Word | None:
    """Return the word that tells apt what to do, if that is something it asks about."""
    rest = iter(arguments)
    for word in rest:
        if word.value in {"-o", "-t", "-c", "-a"}:
            next(rest, None)
        elif not word.value.startswith("-"):
            return word if word.value in _APT_CHANGES else None
    return None


def _silences_apt(option: str) -> bool:
    if option in _APT_SILENT or "assume-yes" in option.lower():
        return True
    short = option.startswith("-") and not option.startswith("--")
    return short and ("y" in option or "s" in option or option.count("q") > 1)


def _deletes_here(arguments: list[Word]) -> bool:
    """Return whether rm deletes much, relative to the folder it runs in."""
    recursive = any(re.match(r"-\w*[rR]|--recursive", word.value) for word in arguments)
    targets = [word.value for word in arguments if not word.value.startswith("-")]
    return any(
        not target.startswith(("/", "~", "$")) and (recursive or "*" in target)
        for target in targets
    )
