"""What an unknown key stands for, and where else it belongs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel

from bai.specs.document import Document
from bai.specs.findings import Fix, Path
from bai.specs.models.shape import ANY, all_keys, fields, homes
from bai.specs.names import beginning_with, ending_in, evident, nearest, suggestion
from bai.specs.source.edits import rename_key

BATCH_AI_KEYS = {
    "stdOutErrPathPrefix": "logs",
    "jobPreparation": "preparation",
    "environmentVariables": "environment",
    "inputDirectories": "inputs",
    "outputDirectories": "outputs",
    "mountVolumes": "mounts",
    "containerSettings": "container",
    "schedulingPriority": "priority",
    "constraints": "timeLimit",
    "maxWallClockTime": "timeLimit",
    "horovodSettings": "horovod",
    "pyTorchSettings": "pyTorch",
    "tensorFlowSettings": "tensorFlow",
    "customMpiSettings": "customMpi",
    "customToolkitSettings": "custom",
    "caffeSettings": "caffe",
    "caffe2Settings": "caffe2",
    "chainerSettings": "chainer",
    "cntkSettings": "cntk",
    "pythonScriptFilePath": "script",
    "pythonInterpreterPath": "python",
    "commandLineArgs": "args",
    "commandLine": "command",
    "communicationBackend": "backend",
    "scaleSettings": "scale",
    "userAccountSettings": "user",
    "virtualMachineConfiguration": "image",
    "nodeSetup": "setupTask",
    "targetNodeCount": "scale",
    "dataDisks": "disks",
    "arguments": "args",
    "cmd": "command",
    "env": "environment",
    "log": "logs",
    "mpi": "customMpi",
    "nodes": "nodeCount",
    "replicas": "nodeCount",
    "timeout": "timeLimit",
    "volumes": "mounts",
    "workers": "workerCount",
    "image": "container",
}
"""Key of Batch AI's files or of a neighbouring tool -> key of the language."""

SAME_VALUES = frozenset(
    (
        "schedulingPriority",
        "horovodSettings",
        "pyTorchSettings",
        "tensorFlowSettings",
        "customMpiSettings",
        "customToolkitSettings",
        "caffeSettings",
        "caffe2Settings",
        "chainerSettings",
        "cntkSettings",
        "pythonScriptFilePath",
        "pythonInterpreterPath",
        "commandLineArgs",
        "commandLine",
        "communicationBackend",
        "arguments",
        "cmd",
        "env",
        "log",
        "mpi",
        "nodes",
        "replicas",
        "workers",
    )
)
"""Those of BATCH_AI_KEYS whose value is written alike, so that they need only another name."""

_OF_CLUSTERS: Final = frozenset((("nodes", "scale"), ("replicas", "scale")))
_SURE: Final = 0.9
"""How alike a key must be to another one to stand for it wherever else it may belong."""
_ELSEWHERE: Final = 0.85
"""The same for a key of another mapping."""
_LIKELY: Final = 0.7
"""The same for one that stands beside it already."""
_MOST: Final = 3
"""Keys or places that a hint names."""
_INSTEAD: Final = {
    "command": ("script", "takes a script and args; a command line belongs in customMpi or custom"),
    "script": ("command", "takes a whole command line: write command: python SCRIPT ARGS"),
}
"""Key -> what a toolkit without it takes in its place, and the words for that."""
_COMMANDS_ONLY: Final = frozenset(("custom", "customMpi"))
"""The toolkits that take a command line."""


def meant_key(path: Path, model: type[BaseModel], document: Document) -> str | None:
    """Return the key beside it that the unknown key at the end of `path` stands for, or None."""
    found = _meant_keys(path, model, document)
    return found[0] if len(found) == 1 else None


def meant_places(path: Path, model: type[BaseModel] | None, document: Document) -> Iterator[Path]:
    """Yield where the unknown key at the end of `path` may be meant to stand, and as what.

    What is said to be missing there is wrong for the same reason.
    """
    here = path[:-1]
    if model and (meant := _meant_keys(path, model, document)):
        yield from ((*here, key) for key in meant)
    elif model and (instead := _instead(path, model)):
        yield (*here, instead[0])
    elif place := _other_home(path, document):
        key, found = place
        yield (*found[0], key)


def renaming(path: Path, model: type[BaseModel] | None, document: Document) -> Fix | None:
    """Return the fix of an unknown key that can only mean one other."""
    if model is None:
        return None
    name, valid = str(path[-1]), list(fields(model))
    ours = BATCH_AI_KEYS.get(name) if name in SAME_VALUES else None
    meant = ours if ours in valid else evident(name, valid)
    # What the hint says, or nothing.
    if meant is None or meant != meant_key(path, model, document):
        return None
    others = (key for key in document.value(path[:-1]) if key != name and key not in valid)
    if any(meant == meant_key((*path[:-1], key), model, document) for key in others):
        # Which of them it is, only a person knows.
        return None
    return rename_key(document, path, meant)


def unknown_key_hint(path: Path, model: type[BaseModel] | None, document: Document) -> str:
    """Return what to do about the unknown key at the end of `path`."""
    name = str(path[-1])
    if model and ":" in name and name.partition(":")[0] in fields(model):
        return "write a space behind the colon"
    if model and (found := _meant_keys(path, model, document)):
        meant = found[0]
        if len(found) > 1:
            return f"did you mean {' or '.join(found[:_MOST])}?"
        if (*path[:-1], meant) in document.keys:
            return f"did you mean {meant}? It is there as well: keep one of them"
        ours = meant == BATCH_AI_KEYS.get(name) or (name, meant) in _OF_CLUSTERS
        return f"its name here is {meant}" if ours else f"did you mean {meant}?"
    if model and (instead := _instead(path, model)):
        return f"{path[-2]} {instead[1]}"
    if place := _other_home(path, document):
        key, homes_of_key = place
        where = " or ".join(_in_words(home) for home in homes_of_key[:_MOST])
        if key == name:
            return f"it belongs in {where}"
        if key == BATCH_AI_KEYS.get(name):
            return f"its name is {key}, and it belongs in {where}"
        return f"did you mean {key}, in {where}?"
    return suggestion(name, fields(model) if model else ())


def _meant_keys(path: Path, model: type[BaseModel], document: Document) -> list[str]:
    """Return the keys beside it that an unknown key may stand for, the likeliest first."""
    name, valid = str(path[-1]), list(fields(model))
    ours = BATCH_AI_KEYS.get(name, name)
    if ours == "nodeCount" and "scale" in valid:
        # Of a cluster, the nodes are its scale.
        ours = "scale"
    if ours in valid:
        return [ours]
    if near := nearest(name, valid, cutoff=_SURE):
        return [near]
    if _instead(path, model):
        return []
    if found := ending_in(ours, valid):
        return found
    if place := _other_home(path, document):
        key, _ = place
        return [key] if key in valid else []
    near = nearest(name, valid)
    if near and (*path[:-1], near) in document.keys:
        # One that is there already is hardly meant by what merely looks a bit like it.
        near = nearest(name, (near,), _LIKELY)
    return [near] if near else beginning_with(name, valid)


def _instead(path: Path, model: type[BaseModel]) -> tuple[str, str] | None:
    """Return the key that a toolkit takes in place of the unknown one, and words for that."""
    name = str(path[-1])
    name = BATCH_AI_KEYS.get(name, name)
    key, words = _INSTEAD.get(name, ("", ""))
    if key not in fields(model) or (key == "command" and path[-2] not in _COMMANDS_ONLY):
        return None
    return key, words


def _other_home(path: Path, document: Document) -> tuple[str, list[Path]] | None:
    """Return the key that an unknown one is, or nearly is, and where else it belongs; or None."""
    name = str(path[-1])
    for key in (name, BATCH_AI_KEYS.get(name), nearest(name, all_keys(), cutoff=_ELSEWHERE)):
        if key and (found := _best_homes(key, path[:-1], document)):
            return key, found
    return None


def _best_homes(key: str, here: Path, document: Document) -> list[Path]:
    """Return the paths of the mappings that know `key`, as near to `here` as can be."""
    best: tuple[int, int, int] | None = None
    found: list[Path] = []
    for steps in homes(key):
        shared = 0
        while shared < min(len(steps), len(here)) and steps[shared] in (ANY, here[shared]):
            shared += 1
        # Inside of the same job, `spec.jobs.NAME` is `spec.jobs.train`.
        known: Path = (*here[:shared], *steps[shared:])
        score = (shared, int(known in document.values), -len(steps))
        if best is None or score > best:
            best, found = score, []
        if score == best:
            found.append(known)
    return found


def _in_words(place: Path) -> str:
    return ".".join(map(str, place)) or "the top level"
