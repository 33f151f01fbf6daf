"""What an unknown key stands for, and where else it belongs."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel

from bai.specs.document import Document
from bai.specs.edits import rename_key
from bai.specs.findings import Fix, Path
from bai.specs.names import evident, nearest
from bai.specs.walk import ANY, fields, homes

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
    "env": "environment",
    "nodes": "nodeCount",
    "volumes": "mounts",
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
        "env",
        "nodes",
    )
)
"""Those of BATCH_AI_KEYS whose value is written alike, so that they need only another name."""


_LIKELY: Final = 0.7
"""How alike a key must be to one that stands beside it to be meant for it."""


def meant_key(path: Path, model: type[BaseModel], document: Document) -> str | None:
    """Return the key beside it that the unknown key at the end of `path` stands for, or None."""
    name, valid = str(path[-1]), list(fields(model))
    ours = BATCH_AI_KEYS.get(name)
    if ours in valid:
        return ours
    if near := nearest(name, valid, cutoff=0.9):
        return near
    near = None if _other_home(path, document) else nearest(name, valid)
    if near and (*path[:-1], near) in document.keys:
        # One that is there already is hardly meant by what merely looks a bit like it.
        return nearest(name, (near,), _LIKELY)
    return near


def renaming(path: Path, model: type[BaseModel] | None, document: Document) -> Fix | None:
    """Return the fix of an unknown key that can only mean one other."""
    if model is None:
        return None
    name, valid = str(path[-1]), list(fields(model))
    ours = BATCH_AI_KEYS.get(name) if name in SAME_VALUES else None
    meant = ours if ours in valid else evident(name, valid)
    # What the hint says, or nothing.
    return (
        rename_key(document, path, meant)
        if meant and meant == meant_key(path, model, document)
        else None
    )


def unknown_key_hint(path: Path, model: type[BaseModel] | None, document: Document) -> str:
    """Return what to do about the unknown key at the end of `path`."""
    name = str(path[-1])
    if model and ":" in name and name.partition(":")[0] in fields(model):
        return "write a space behind the colon"
    if model and (meant := meant_key(path, model, document)):
        if (*path[:-1], meant) in document.keys:
            return f"did you mean {meant}? It is there as well: keep one of them"
        ours = meant == BATCH_AI_KEYS.get(name)
        return f"its name here is {meant}" if ours else f"did you mean {meant}?"
    if elsewhere := _other_home(path, document):
        return elsewhere
    return f"valid here: {', '.join(fields(model))}" if model else "nothing can stand here"


def _other_home(path: Path, document: Document) -> str | None:
    """Return a sentence that says where else the key at the end of `path` belongs, or None."""
    name, here = str(path[-1]), path[:-1]
    ours = BATCH_AI_KEYS.get(name)
    if place := _home(name, here, document):
        return f"it belongs in {place}"
    if ours and (place := _home(ours, here, document)):
        return f"its name is {ours}, and it belongs in {place}"
    return None


def _home(key: str, here: Path, document: Document) -> str | None:
    """Return where `key` belongs, as near to `here` as can be, in words."""
    best: tuple[int, int] = (-1, -1)
    found: list[str] = []
    for steps in homes(key):
        shared = 0
        while shared < min(len(steps), len(here)) and steps[shared] in (ANY, here[shared]):
            shared += 1
        # Inside of the same job, `spec.jobs.NAME` is `spec.jobs.train`.
        known = (*here[:shared], *steps[shared:])
        score = (shared, int(known in document.values))
        if score > best:
            best, found = score, []
        if score == best:
            found.append(".".join(map(str, known)) or "the top level")
    return " or ".join(found[:3]) or None
