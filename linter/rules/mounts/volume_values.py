"""The rules about single values of mount volumes: they check one volume at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Final

from bai.compiler.resources.ids import STORAGE_ACCOUNT_PLACEHOLDER, Kind
from bai.linter.facts.volumes import BLOB_CONTAINERS, FILE_SHARES, UNMANAGED, Volume, volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import NOTHING, Accepted, Form, Rule, rule
from bai.linter.violation import Part, Violation
from bai.specs.names import nearest
from bai.specs.placeholders import GAP

VolumeCheck = Callable[[Volume], Iterator[Violation]]


def volume_rule(
    code: str,
    *kinds: str,
    keys: tuple[str, ...],
    form: Form | None = None,
    accepts: Accepted = NOTHING,
) -> Callable[[VolumeCheck], Rule]:
    """Return a decorator that turns a check of one volume into a rule.

    Args:
        code: the code of its findings.
        kinds: the lists of `mountVolumes` whose volumes it checks; all if there are none.
        keys: the keys that it looks at.
        form: the form of the resources that it checks; None for both.
        accepts: the values about which it finds nothing, as in `Rule`.
    """

    def decorate(check: VolumeCheck) -> Rule:
        @wraps(check)
        def check_all(resource: ResourceView) -> Iterator[Violation]:
            for volume in volumes(resource):
                if not kinds or volume.kind in kinds:
                    yield from check(volume)

        kinds_of_owners = (Kind.JOB, Kind.CLUSTER)
        return rule(code, *kinds_of_owners, form=form, keys=keys, accepts=accepts)(check_all)

    return decorate


_ACCOUNT: Final = re.compile("[a-z0-9]{3,24}")
_SHARE: Final = re.compile("https://[^/?#]+/+([^/?#]+)")
_NAME: Final = re.compile("[a-z0-9](?:-?[a-z0-9])*")
"""The name of a share or a container."""
_SHORTEST: Final = 3
_LONGEST: Final = 63
_MODES: Final = ("fileMode", "directoryMode")
_SPECIAL: Final = frozenset(("$root", "$web", "$logs"))
"""Containers that Azure has under names of its own."""


# In specs, a pass checks the accounts, which several mounts may share.
@volume_rule(
    "BAI504",
    FILE_SHARES,
    BLOB_CONTAINERS,
    keys=("accountName",),
    form=Form.FILE,
    accepts={"accountName": {"pattern": f"^(?:[a-z0-9]{{3,24}}|{STORAGE_ACCOUNT_PLACEHOLDER})$"}},
)
def account_names(volume: Volume) -> Iterator[Violation]:
    account = volume.text("accountName")
    if account is None or account == STORAGE_ACCOUNT_PLACEHOLDER or _ACCOUNT.fullmatch(account):
        return
    meant = nearest(account, [STORAGE_ACCOUNT_PLACEHOLDER], cutoff=0.8)
    hint = f"did you mean {meant}?" if meant else "3 to 24 lowercase letters and digits"
    place = Part(volume.at("accountName"), account, meant)
    yield Violation(place, f"{account!r} is no storage account's name", hint)


_USUAL: Final = "[a-z0-9](?:-?[a-z0-9]){2,30}"


@volume_rule(
    "BAI511",
    FILE_SHARES,
    BLOB_CONTAINERS,
    keys=("azureFileUrl", "containerName"),
    accepts={
        "azureFileUrl": {"pattern": f"^https://[a-zA-Z0-9.<>_-]+/{_USUAL}$"},
        "containerName": {"pattern": f"^{_USUAL}$"},
    },
)
def storage_names(volume: Volume) -> Iterator[Violation]:
    if volume.kind == BLOB_CONTAINERS:
        what, key, name = "container", "containerName", volume.text("containerName")
    else:
        match = _SHARE.match(volume.text("azureFileUrl") or "")
        what, key, name = "share", "azureFileUrl", match and match[1]
    if name is None or _is_storage(name, in_spec=volume.in_spec):
        return
    # BAI611 reports placeholders.
    if name not in (GAP, *_SPECIAL) and "<" not in name and not name.startswith(("[", "{")):
        message = f"{name!r} is no {what}'s name in Azure"
        hint = "3 to 63 lowercase letters, digits and single hyphens"
        yield Violation(Part(volume.at(key), name), message, hint)


def _is_storage(name: str, *, in_spec: bool) -> bool:
    """Return whether a share or a container may have a name."""
    # Short names are handy in specs, which mostly run on this machine.
    shortest = 1 if in_spec else _SHORTEST
    return shortest <= len(name) <= _LONGEST and _NAME.fullmatch(name) is not None


@volume_rule("BAI512", BLOB_CONTAINERS, keys=("mountOptions",))
def blob_options(volume: Volume) -> Iterator[Violation]:
    options = volume.text("mountOptions") or ""
    if "'" in options or '"' in options:
        return
    takes_value = False
    for word in options.split():
        if not word.startswith("-") and not takes_value:
            message = f"{word!r} is no option of blobfuse by itself"
            yield Violation(Part(volume.at("mountOptions"), word), message, f"write -o {word}")
            return
        takes_value = word.startswith("-") and "=" not in word


# In specs, the models check the modes.
@volume_rule(
    "BAI513",
    FILE_SHARES,
    keys=_MODES,
    form=Form.FILE,
    accepts={key: {"pattern": "^0?[0-7]{3}$"} for key in _MODES},
)
def file_modes(volume: Volume) -> Iterator[Violation]:
    for key in _MODES:
        mode = volume.text(key)
        if mode is not None and not re.fullmatch("0?[0-7]{3}", mode):
            message = f"{key} {mode!r} is no octal file mode"
            yield Violation(volume.at(key), message, "write it like 0777")


_TAKE_VALUE: Final = frozenset(("-t", "-o", "-O", "-N", "--types", "--options", "--namespace"))
_SOURCES: Final = frozenset(("-L", "-U", "--label", "--uuid", "--source"))
"""Options of mount whose value is what to mount."""
_SEPARATORS: Final = frozenset((";", "&", "&&", "|", "||", ";;"))
_SOURCE_AND_TARGET: Final = 2
_LONGEST_COMMAND: Final = 4096
"""Characters of a command that is looked into: to take a text apart as a shell does is slow."""


@volume_rule("BAI514", UNMANAGED, keys=("mountCommand",))
def mount_commands(volume: Volume) -> Iterator[Violation]:
    """The mount path can be appended to the command of an unmanaged mount."""
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
    if len(text) > _LONGEST_COMMAND or any(character in text for character in "`()<>\\"):
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
