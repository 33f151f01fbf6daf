"""Rules about machines: their sizes, disks, images and users."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.batchai import vm_sizes
from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, rule
from bai.linter.violation import Key, Violation
from bai.specs.findings import Path
from bai.specs.names import nearest

_VM_SIZE = ("properties", "vmSize")


@rule("BAI314", Kind.CLUSTER)
def cluster_vm_sizes(cluster: ResourceView) -> Iterator[Violation]:
    name = cluster.literal(*_VM_SIZE)
    size = vm_sizes.find(name) if name else None
    if size and not size.has_clusters:
        message = f"the service makes no clusters of {name}"
        # Standard_DS3_v2 is Standard_D3_v2 with other disks.
        plain = vm_sizes.find(re.sub("(?<=_[DG])S", "", size.name))
        hint = "choose another one"
        if plain and plain is not size:
            hint = f"{plain.name} has the same cores and memory"
        yield Violation(_VM_SIZE, message, hint)


_PREFIX = "STANDARD_"
_SIZE = r"STANDARD_(?P<family>[A-Z]+)[0-9]+[A-HJ-Z]*(?:_V(?P<version>[0-9]{1,9}))?"
_COMPLETE = frozenset(
    [
        *((family, 1) for family in ("A", "D", "DS", "F", "G", "GS", "H", "NC", "ND", "NV")),
        *((family, 2) for family in ("A", "D", "DS", "NC")),
        ("NC", 3),
    ]
)
"""Families and versions that never grew after the service's time, but for isolated ones (`15i`)."""
_FIRST_UNKNOWN_VERSION = 10
"""Azure is far from a tenth version of any family."""


@rule("BAI313", Kind.CLUSTER, Kind.FILE_SERVER)
def vm_size_names(resource: ResourceView) -> Iterator[Violation]:
    name = resource.literal(*_VM_SIZE)
    if name and (meant := _meant(name)):
        yield Violation(_VM_SIZE, f"there is no size {name!r}", f"did you mean {meant}?")


def _meant(name: str) -> str | None:
    """Return the size that a misspelt name means; None for known sizes and possible newer ones.

    Newer sizes differ from the known ones by a letter or a number. So a name counts as misspelt
    only if it can't be a size's name, has the same characters in another order, or is of a series
    that got no new sizes.
    """
    found = vm_sizes.find(name)
    if found:
        is_whole = name.upper().startswith(_PREFIX) and name == name.strip()
        return None if is_whole else found.name
    if len(name) > 40:
        return None
    letters = sorted(_folded(name))
    for size in vm_sizes.names():
        if sorted(_folded(size)) == letters and _digits(size) == _digits(name):
            return size
    return _near_to_never_made(name)


def _near_to_never_made(name: str) -> str | None:
    """Return the nearest size to a name that Azure never had; None if it may have had it."""
    match = re.fullmatch(_SIZE, name.upper())
    if match is None:
        return None
    family, version = match["family"], int(match["version"] or 1)
    if version < _FIRST_UNKNOWN_VERSION and (family, version) not in _COMPLETE:
        return None
    known = [
        size
        for size in vm_sizes.names()
        if (found := re.fullmatch(_SIZE, size.upper())) and found["family"] == family
    ]
    same = [size for size in known if size.upper().endswith(f"_V{version}") == (version > 1)]
    return nearest(name, same if (family, version) in _COMPLETE else known)


def _folded(name: str) -> str:
    bare = name.upper().replace("_", "").replace("-", "").replace(" ", "")
    return bare.removeprefix("STANDARD")


def _digits(name: str) -> list[str]:
    return [character for character in name if character.isdigit()]


_DISKS = ("properties", "dataDisks")


@rule("BAI315", Kind.FILE_SERVER)
def premium_disks(server: ResourceView) -> Iterator[Violation]:
    name = server.literal(*_VM_SIZE)
    size = vm_sizes.find(name) if name else None
    if size is None or size.premium_storage:
        return
    hint = "choose a size with premium storage, STANDARD_DS2_V2 for example"
    if server.text(*_DISKS, "storageAccountType") == "Premium_LRS":
        message = f"{name} takes no {'premium' if server.is_compiled else 'Premium_LRS'} disks"
        yield Violation((*_DISKS, "storageAccountType"), message, hint)
    if server.text(*_DISKS, "cachingType") in ("readonly", "readwrite"):
        message = f"{name} takes no cache for its disks"
        yield Violation((*_DISKS, "cachingType"), message, hint)


_PATH: Final = ("properties", "virtualMachineConfiguration", "imageReference")
# Other publishers make images of all kinds.
_OTHERS: Final = frozenset(
    {"coreos", "credativ", "microsoftwindowsserver", "openlogic", "oracle", "redhat", "suse"}
)
"""Publishers of images with other systems only, in lower case."""


@rule("BAI330", Kind.CLUSTER)
def ubuntu(cluster: ResourceView) -> Iterator[Violation]:
    """The nodes of a cluster run Ubuntu."""
    publisher, offer = (cluster.literal(*_PATH, key) for key in ("publisher", "offer"))
    if publisher and publisher.lower() in _OTHERS:
        message = f"the service's nodes run Ubuntu, not {offer or publisher}"
        hint = "use UbuntuLTS or UbuntuDSVM"
        if not cluster.is_compiled:
            hint = "use the publisher Canonical, the offer UbuntuServer and the sku 16.04-LTS"
        yield Violation((*_PATH, "publisher"), message, hint)


_USERS: Final[dict[Kind, Path]] = {
    Kind.CLUSTER: ("properties", "userAccountSettings"),
    Kind.FILE_SERVER: ("properties", "sshConfiguration", "userAccountSettings"),
}


@rule("BAI316", keys=("adminUserName",))
def logins(resource: ResourceView) -> Iterator[Violation]:
    path = _USERS.get(resource.kind)
    # Any other key is one of the two, or misspelt and reported by the schema.
    if path and resource.mapping(*path).keys() == {"adminUserName"}:
        message = "the user has neither an ssh key nor a password"
        yield Violation(Key(path), message, "add adminUserSshPublicKey or adminUserPassword")


_BEGINNINGS: Final = ("~", "/", "./", "../", "$HOME")


@rule("BAI321", form=Form.SPEC, keys=("adminUserSshPublicKey",))
def key_paths(resource: ResourceView) -> Iterator[Violation]:
    for path, text in resource.texts_at("adminUserSshPublicKey"):
        # The text of a key has a blank behind its kind.
        if " " not in text and (text.startswith(_BEGINNINGS) or text.endswith(".pub")):
            message = f"{text!r} is a path, and no public key"
            yield Violation(path, message, f"write what `cat {text}` shows: ssh-rsa AAAA...")
