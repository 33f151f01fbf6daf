"""Normalize a file: convert values that specs express differently, drop what they can't express.

The imported spec must compile to the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any

from bai.compiler.importer.notes import Notes, dotted
from bai.compiler.importer.origins import origin_of, placed
from bai.compiler.importer.placeholders import fill_gaps
from bai.compiler.resources.ids import NAME, Kind, ResourceId
from bai.specs.durations import iso_duration
from bai.specs.findings import Path
from bai.specs.models.sizes import is_size, usual_size
from bai.specs.secrets import SecretRef, secret_marker
from bai.specs.toolkits import TOOLKITS
from bai.specs.words_of_batch_ai import spec_word, wire_word

_ROOT: Path = ("properties",)


def normalize(kind: Kind, wire: dict[str, Any], home: ResourceId, notes: Notes) -> None:
    """Change the wire form of a file, which has the shape of its kind, in place.

    Changes that a person could miss are noted. Two are not: another spelling of the same id, and
    the reference to the environment that a secret without a value gets.
    """
    properties = wire["properties"]
    _two_places(properties, _ROOT, notes)
    _users(properties, notes)
    for holder, path in _task_holders(properties):
        _variables(holder, path, notes)
    for volumes, path in _volumes(properties):
        mounts = (_entries(volumes, path, each, "relativeMountPath") for each in volumes)
        _once(chain.from_iterable(mounts), "BAI502", "the mount path", notes)
        fill_gaps(volumes, path, notes)
        for number, server in enumerate(volumes.get("fileServers", [])):
            place = (*path, "fileServers", number, "fileServer", "id")
            _named(server["fileServer"], Kind.FILE_SERVER, place, home, notes)
    if kind is Kind.JOB:
        if properties.get("jobPreparation", {}).get("commandLine") == "":
            del properties["jobPreparation"]
        for each, what in (("inputDirectories", "the input"), ("outputDirectories", "the output")):
            _once(_entries(properties, _ROOT, each, "id"), "BAI311", what, notes)
        _cluster_id(properties, home, notes)
        _time_limit(properties, notes)
        _registry(properties)
        _spellings(properties)
    elif kind is Kind.CLUSTER:
        _scale(properties, notes)


def _spellings(properties: dict[str, Any]) -> None:
    """Spell sizes and words, which Batch AI takes in several forms, as a spec compiles to them."""
    container = properties.get("containerSettings", {})
    written = container.get("shmSize") or ""
    if not is_size(written) and (size := usual_size(written)):
        container["shmSize"] = placed(size, origin_of(written))
    for toolkit, key in (("pyTorch", "communicationBackend"), ("cntk", "languageType")):
        settings = properties.get(TOOLKITS[toolkit], {})
        if text := settings.get(key):
            settings[key] = placed(wire_word(spec_word(text)), origin_of(text))


def _task_holders(properties: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Path]]:
    yield properties, _ROOT
    if task := properties.get("nodeSetup", {}).get("setupTask"):
        yield task, (*_ROOT, "nodeSetup", "setupTask")


def _volumes(properties: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Path]]:
    yield properties.get("mountVolumes", {}), (*_ROOT, "mountVolumes")
    setup = properties.get("nodeSetup", {})
    yield setup.get("mountVolumes", {}), (*_ROOT, "nodeSetup", "mountVolumes")


def _two_places(value: Any, path: Path, notes: Notes) -> None:
    """Note every secret that has a value of its own and a Key Vault's as well."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        if f"{key}SecretReference" in value:
            message = f"{dotted((*path, key))} has a {key}SecretReference beside it"
            notes.at_key((*path, key), "BAI305", message, "keep one of them")
        if isinstance(inner, (dict, list)):
            _two_places(inner, (*path, key), notes)


def _users(properties: dict[str, Any], notes: Notes) -> None:
    """Leave out a cluster's account without key and password, as the service reports accounts."""
    user = properties.get("userAccountSettings", {})
    if user and not {"adminUserSshPublicKey", "adminUserPassword"} & user.keys():
        place = (*_ROOT, "userAccountSettings")
        message = f"{dotted(place)} has no key and no password, and is left out"
        hint = "to keep it, write `user: {name: ..., sshKey: ...}` below the cluster in the spec"
        notes.at_key(place, "BAI207", message, hint)
        del properties["userAccountSettings"]


def _variables(holder: dict[str, Any], path: Path, notes: Notes) -> None:
    secrets = holder.get("secrets", [])
    for variable in secrets:
        # The service reports secrets without their values: those are the user's to give.
        if not {"value", "valueSecretReference"} & variable.keys():
            marker = secret_marker(SecretRef("env", str(variable["name"])))
            variable["value"] = placed(marker, origin_of(variable["name"]))
    for each in ("environmentVariables", "secrets"):
        _once(_entries(holder, path, each, "name"), "BAI310", "the variable", notes)


def _entries(holder: dict[str, Any], at: Path, name: str, key: str) -> Iterator[tuple[Path, str]]:
    """Iterate over the places and the names, each behind a key, of the entries of a list."""
    for number, entry in enumerate(holder.get(name, ())):
        yield (*at, name, number, key), entry[key]


def _once(places: Iterable[tuple[Path, str]], code: str, what: str, notes: Notes) -> None:
    """Note every name but the first of its kind: a spec has them as keys, which are unique."""
    seen: dict[str, Path] = {}
    for path, name in places:
        if name in seen:
            here, first = notes.document.span(path), notes.document.span(seen[name])
            where = f", first in line {first.line}" if first.line < here.line else ""
            message = f"{what} {str(name)!r} is there twice{where}"
            notes.at_value(path, code, message, "keep one of them")
        seen.setdefault(name, path)


def _cluster_id(properties: dict[str, Any], home: ResourceId, notes: Notes) -> None:
    if cluster := properties.get("cluster"):
        _named(cluster, Kind.CLUSTER, (*_ROOT, "cluster", "id"), home, notes)
        id = cluster["id"]
        # The compiler reports what is no id.
        with suppress(ValueError):
            cluster["id"] = placed(str(ResourceId.parse(id)), origin_of(id))


def _named(
    reference: dict[str, Any], kind: Kind, path: Path, home: ResourceId, notes: Notes
) -> None:
    """Make an ARM id of the bare name that people write in place of one."""
    if NAME.fullmatch(name := reference["id"]):
        message = f"{dotted(path)} is no ARM id, and is taken for the name of a {kind.singular}"
        notes.at_value(path, "BAI207", message, "")
        reference["id"] = placed(str(home.sibling(kind, name)), origin_of(name))


def _time_limit(properties: dict[str, Any], notes: Notes) -> None:
    constraints = properties.get("constraints", {})
    written = constraints.get("maxWallClockTime")
    try:
        duration = iso_duration(written or "")
    except ValueError:
        return  # Loading the spec reports it.
    if duration != written:
        path = (*_ROOT, "constraints", "maxWallClockTime")
        notes.at_key(path, "BAI207", f"{dotted(path)} {written!r} becomes {duration}")
        constraints["maxWallClockTime"] = placed(duration, origin_of(written))


def _registry(properties: dict[str, Any]) -> None:
    registry = properties.get("containerSettings", {}).get("imageSourceRegistry", {})
    account = registry.get("credentials")
    if account == {"username": ""}:
        # A template's, filled in with nothing.
        del registry["credentials"]
        return
    if account and not {"password", "passwordSecretReference"} & account.keys():
        marker = secret_marker(SecretRef("env", "REGISTRY_PASSWORD"))
        account["password"] = placed(marker, origin_of(account))


def _scale(properties: dict[str, Any], notes: Notes) -> None:
    path = (*_ROOT, "scaleSettings")
    found = [key for key in ("manual", "autoScale") if key in properties["scaleSettings"]]
    if not found:
        message = "the cluster has no scale"
        notes.at_key(path, "BAI305", message, "set manual or autoScale")
    elif len(found) > 1:
        message = "a scale is fixed or automatic, found manual and autoScale"
        notes.at_key((*path, found[1]), "BAI305", message, "keep one of them")
