"""The unknown keys of a spec: what its models say of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from bai.specs.document import Document, value_at
from bai.specs.findings import Fix, Path
from bai.specs.models.kinds import EXPERIMENT, KINDS, WorkspaceDocument, meant_kind
from bai.specs.models.shape import ANY, Shape, all_keys, below, fields, homes, model_at
from bai.specs.models.sizes import is_size
from bai.specs.names import evident
from bai.specs.source.edits import rename_key, text_fix
from bai.specs.toolkits import IN_SPECS, TOOLKITS
from bai.specs.validation.unknown_keys import (
    Meaning,
    UnknownKey,
    best,
    hint_of,
    meaning_of,
    renaming,
    stood_for,
)

IN_GB: Final = ("sizeGB", "diskSizeInGB")
"""Keys of sizes in GB, which have their unit in the value here."""
SAME_VALUES: Final = {
    "schedulingPriority": "priority",
    **IN_SPECS,
    "pythonScriptFilePath": "script",
    "pythonInterpreterPath": "python",
    "commandLineArgs": "args",
    "commandLine": "command",
    "communicationBackend": "backend",
    "arguments": "args",
    "cmd": "command",
    "env": "environment",
    "log": "logs",
    "mpi": "customMpi",
    "node": "nodeCount",
    "nodes": "nodeCount",
    "replicas": "nodeCount",
    "workers": "workerCount",
    "configFilePath": "config",
    "languageType": "language",
    "masterCommandLineArgs": "masterArgs",
    "workerCommandLineArgs": "workerArgs",
    "parameterServerCommandLineArgs": "parameterServerArgs",
    "np": "processCount",
    "nprocPerNode": "processesPerNode",
    "slotsPerWorker": "processesPerNode",
    "interpreter": "python",
    "diskCount": "count",
    "storageAccountType": "type",
    "cachingType": "caching",
    "adminUserName": "name",
    "adminUserSshPublicKey": "sshKey",
    "publicIPsToAllow": "allowIps",
    "nodeDeallocationOption": "onDeallocation",
    "minimumNodeCount": "min",
    "maximumNodeCount": "max",
    "initialNodeCount": "initial",
    "pathPrefix": "path",
    "pathSuffix": "suffix",
}
"""Those of BATCH_AI_KEYS whose value is written alike, so that they need only another name."""

BATCH_AI_KEYS: Final = SAME_VALUES | {
    "stdOutErrPathPrefix": "logs",
    "jobPreparation": "preparation",
    "environmentVariables": "environment",
    "inputDirectories": "inputs",
    "outputDirectories": "outputs",
    "mountVolumes": "mounts",
    "containerSettings": "container",
    "constraints": "timeLimit",
    "maxWallClockTime": "timeLimit",
    "scaleSettings": "scale",
    "userAccountSettings": "user",
    "virtualMachineConfiguration": "image",
    "nodeSetup": "setupTask",
    "targetNodeCount": "scale",
    "dataDisks": "disks",
    "timeout": "timeLimit",
    "volumes": "mounts",
    "image": "container",
    **dict.fromkeys(IN_GB, "size"),
}
"""Key of Batch AI's files or of a neighbouring tool -> key of the language."""

_GPUS: Final = ("processesPerNode", "vmSize")
RELATED: Final = dict.fromkeys(
    ("accelerators", "gpu", "gpuCount", "gpus", "gpusPerNode", "nproc", "numGpus", "slots"), _GPUS
) | dict.fromkeys(
    ("cpu", "cpus", "instance", "instanceType", "machineType", "memory", "resources"), ("vmSize",)
)
"""Key of a neighbouring tool -> keys of the language that say something alike in another way."""
_SECTIONS: Final = {"jobs": "job", "clusters": "cluster", "fileServers": "fileServer"}
"""Section of an experiment's spec -> what `bai explain` calls each of its values."""
_OF_TOOLKITS: Final = {
    "masterArgs": "args",
    "workerArgs": "args",
    "processCount": "workerCount",
    "processesPerNode": "workersPerNode",
    "workerCount": "processCount",
    "workersPerNode": "processesPerNode",
}
"""Key of one toolkit -> the key of another one that says the same there."""

_INSTEAD: Final = {
    "command": ("script", "takes a script and args; a command line belongs in customMpi or custom"),
    "script": ("command", "takes a whole command line: write command: python SCRIPT ARGS"),
}
"""Key -> what a toolkit without it takes in its place, and the words for that."""
_COMMANDS_ONLY: Final = frozenset(("custom", "customMpi"))
"""The toolkits that take a command line."""


_JOB: Final = ("spec", "jobs", ANY)
"""The place of a job."""


class SpecKeys:
    """What the unknown keys of a spec are meant to be."""

    def __init__(self, document: Document) -> None:
        """Look at a spec, valid or not."""
        kind = meant_kind(document.data)
        self.root = KINDS[kind]
        """The model of the spec."""
        # An experiment has all keys of the other kinds as well.
        self._others = {} if kind == EXPERIMENT else {k: KINDS[k] for k in KINDS if k != kind}
        self._document = document
        self._meanings: dict[Path, Meaning] = {}
        self._toolkits: dict[Path, Sequence[str]] = {}

    def all_keys(self) -> Collection[str]:
        """Return all keys of specs: an experiment has those of the other kinds as well."""
        return all_keys(KINDS[EXPERIMENT])

    def owners(self, key: str, near: Path) -> Sequence[Path]:
        """Return the paths of the mappings that take a key, those nearest to a path."""
        if found := best(self._ranked(key, near), lambda ranked: ranked[0]):
            return [path for _, path in found]
        return [(kind, *path) for kind, root in self._others.items() for path in homes(key, root)]

    def in_words(self, owner: Path) -> str:
        """Return the place of a mapping for a message."""
        if owner and owner[0] in self._others:
            article = "an" if owner[0] == EXPERIMENT else "a"
            return f"{'.'.join(map(str, owner[1:]))} of {article} {owner[0]}"
        return ".".join(map(str, owner)) or "the top level"

    def rival(self, owner: Path) -> str | None:
        """Return the toolkit of a job that has another one than a mapping; else None."""
        toolkit = owner[len(_JOB)] if len(owner) > len(_JOB) else None
        if owner[:2] != _JOB[:2] or toolkit not in TOOLKITS:
            return None
        path = owner[: len(_JOB)]
        if (given := self._toolkits.get(path)) is None:
            job = value_at(self._document.data, path)
            found = stood_for(job, TOOLKITS, BATCH_AI_KEYS) if isinstance(job, dict) else []
            given = self._toolkits[path] = found
        return None if not given or toolkit in given else given[0]

    def meaning(self, path: Path) -> Meaning:
        """Return what the unknown key at the end of a path may be meant to be."""
        found = self._meanings.get(path)
        if found is None:
            found = self._meanings[path] = meaning_of(self._unknown(path), self)
        return found

    def hint(self, path: Path) -> str:
        """Return what to do about the unknown key at the end of a path."""
        name, _, behind = str(path[-1]).partition(":")
        key = self._unknown(path)
        if name in IN_GB and self.meaning(path).only == "size":
            meant = str(meant_value(name, self._document.value(path)))
            return f"write size: {meant if is_size(meant) else '256g'}"
        if behind and name in key.valid:
            return "write a space behind the colon"
        return hint_of(key, self.meaning(path), self)

    def fix(self, path: Path) -> Fix | None:
        """Return the fix of an unknown key that can only mean one other."""
        key = self._unknown(path)
        if key.name in IN_GB:
            return self._with_unit(path)
        same = (SAME_VALUES.get(key.name), _OF_TOOLKITS.get(key.name))
        meant = next((each for each in same if each in key.valid), None)
        meant = meant or evident(key.name, key.valid)
        # What the hint says, or nothing.
        if meant != self.meaning(path).only:
            return None
        return renaming(
            self._document,
            path,
            meant,
            key.valid,
            lambda other: self.meaning((*path[:-1], other)).only,
        )

    def _with_unit(self, path: Path) -> Fix | None:
        """Return the fix that writes a size in GB with its unit."""
        value = self._document.value(path)
        renamed = rename_key(self._document, path, "size")
        meant = meant_value(str(path[-1]), value)
        size = text_fix(self._document, path, meant) if is_size(str(meant)) else None
        if self.meaning(path).only != "size" or not renamed or not size:
            return None
        return Fix((*renamed.edits, *size.edits))

    def places(self, path: Path) -> Iterator[Path]:
        """Yield where the unknown key at the end of a path may be meant to stand, and as what.

        What is said to be missing there is missing for the same reason.
        """
        meaning, here = self.meaning(path), path[:-1]
        if meaning.beside:
            yield from ((*here, key) for key in meaning.beside)
        elif meaning.instead:
            yield (*here, meaning.instead[0])
        elif meaning.elsewhere and not meaning.rival:
            yield (*meaning.owners[0], meaning.elsewhere)

    def _unknown(self, path: Path) -> UnknownKey:
        model = model_at(path[:-1], self.root)
        valid = list(fields(model)) if model else []
        name = str(path[-1])
        alias = BATCH_AI_KEYS.get(name)
        if alias not in valid and (same := _OF_TOOLKITS.get(alias or name)) in valid:
            alias = same
        if alias == "nodeCount" and "scale" in valid:
            # Of a cluster, the nodes are its scale.
            alias = "scale"
        if name == "workspace" and self.root is WorkspaceDocument:
            alias = "name"
        present = [key for key in valid if (*path[:-1], key) in self._document.keys]
        return UnknownKey(
            path,
            valid,
            present,
            alias,
            _instead(path, alias or name, valid),
            related=self._related(path, name, valid),
            explained_by=f"bai explain {self._page(path[:-1])}",
        )

    def _related(self, path: Path, name: str, valid: Collection[str]) -> Sequence[str]:
        """Return keys that an unknown one may be about, each with its place if that is another."""
        found = []
        for key in sorted(RELATED.get(name, ()), key=lambda each: each not in valid):
            owners = [each for each in self.owners(key, path[:-1]) if self.rival(each) is None]
            if key in valid:
                found.append(key)
            elif owners:
                found.append(f"{key} (in {_in_short(owners)})")
        return found

    def _page(self, path: Path) -> str:
        """Return the path by which `bai explain` finds the mapping at a path."""
        kind = next(kind for kind, model in KINDS.items() if model is self.root)
        steps: list[str] = []
        here = Shape(self.root)
        for step in path:
            if here.model:
                steps.append(str(step))
            here = below(here, step)
        match steps:
            case ["spec", section, *rest] if section in _SECTIONS:
                return ".".join([_SECTIONS[section], *rest])
        return ".".join([f"{kind[0].lower()}{kind[1:]}", *steps])

    def _ranked(self, key: str, near: Path) -> Iterator[tuple[tuple[int, int, int], Path]]:
        """Yield the path of each mapping that takes a key, with how near it is."""
        for steps in homes(key, self.root):
            shared = 0
            while shared < min(len(steps), len(near)) and steps[shared] in (ANY, near[shared]):
                shared += 1
            # Inside of the same job, `spec.jobs.NAME` is `spec.jobs.train`.
            path: Path = (*near[:shared], *steps[shared:])
            yield (shared, int(path in self._document.values), -len(steps)), path


def _in_short(owners: Sequence[Path]) -> str:
    """Return a word for the mappings at some paths: of a cluster, or of a job's toolkit."""
    if any("clusters" in each for each in owners):
        return "a cluster"
    return str(owners[0][-1]) if len(owners) == 1 else "a toolkit"


def meant_value(key: str, value: Any) -> Any:
    """Return what is meant by the value of an unknown key, under the key that is meant.

    Args:
        key: the unknown key.
        value: what is written there.
    """
    if key not in IN_GB:
        return value
    return f"{value}g" if str(value).isdecimal() else value


def _instead(path: Path, name: str, valid: Collection[str]) -> tuple[str, str] | None:
    """Return the key that a toolkit takes in place of the unknown one, and words for that."""
    key, words = _INSTEAD.get(name, ("", ""))
    if key not in valid or (key == "command" and path[-2] not in _COMMANDS_ONLY):
        return None
    return key, f"{path[-2]} {words}"
