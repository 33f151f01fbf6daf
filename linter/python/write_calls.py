"""Which calls of a Python script write a checkpoint or another file, and where to."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection
from typing import NamedTuple

from bai.linter.python.horovod_names import HorovodNames
from bai.linter.python.rank_names import MODEL_MAKERS
from bai.linter.python.results import Save
from bai.linter.python.syntax_tree import (
    all_arguments,
    argument,
    dotted_name,
    is_none,
    last_name,
    mentioned_names,
    text_of,
)
from bai.linter.python.write_targets import WriteTargets

_MODEL = re.compile(
    r"(?i)(?:.*_)?(?:model|net|network|classifier|autoencoder|generator|discriminator|encoder|decoder"
    r"|saver|checkpoint|ckpt|(?:checkpoint_|ckpt_)?manager)\d*"
)
"""Names of objects whose `save` writes a checkpoint."""
_SAVE_METHODS = frozenset({"save_weights", "save_pretrained"})
_SAVE_FUNCTIONS = ("torch.save", "saved_model.save", "models.save_model")
WRITERS = frozenset(
    {"ModelCheckpoint", "MonitoredTrainingSession", "CheckpointSaverHook", "Estimator"}
)
"""Objects that write checkpoints by themselves while they are used."""
_RANK_AWARE = ("pytorch_lightning", "lightning")
"""Libraries whose ModelCheckpoint writes on one rank only."""

_NEW = re.compile(r"w[bt+]*")
"""Modes in which `open` truncates a file; with `x` one process alone succeeds."""
_OPENERS = frozenset({"open", "GFile", "FastGFile", "Open"})
_NUMPY_SAVES = frozenset({"save", "savez", "savez_compressed", "savetxt"})
_PATH_METHODS = frozenset({"write_text", "write_bytes"})
_DATA_METHODS = frozenset({"to_csv", "to_pickle", "to_parquet", "to_json", "savefig"})
_COORDINATION = re.compile(r"(?i).*(?:exist|is_?file|lock).*")
"""Names in conditions that take other processes into account."""


class Write(NamedTuple):
    """A call that writes."""

    save: Save
    is_checkpoint: bool
    handle: str
    """The name of the open file, if it is one."""
    places: frozenset[str]
    """The names of what is written into."""


class WriteCalls:
    """The calls of a script that save a checkpoint, or write another file."""

    def __init__(self, script: HorovodNames, targets: WriteTargets) -> None:
        self._targets = targets
        self._models: set[str] = set()
        """Names of what a call in MODEL_MAKERS returned."""
        for names, value in script.flows:
            if isinstance(value, ast.Call) and last_name(value.func) in MODEL_MAKERS:
                self._models |= names
        named = [each for each in script.imports if each.name]
        self._rank_aware = {each.bound for each in named if each.module.startswith(_RANK_AWARE)}
        self._handles: dict[int, str] = {}
        """Id of a call in `with CALL as NAME` -> the name."""
        coordinated: list[ast.AST] = [
            node for node in script.of(ast.If, ast.IfExp) if _coordinates(node.test)
        ]
        for block in script.of(ast.With, ast.AsyncWith):
            if any(_coordinates(item.context_expr) for item in block.items):
                coordinated.append(block)
            for item in block.items:
                if isinstance(item.optional_vars, ast.Name):
                    self._handles[id(item.context_expr)] = item.optional_vars.id
        self._coordinated = script.within(coordinated)
        """Ids of the nodes under locks and conditions on what other processes have done."""

    def of(self, node: ast.Call, ranked: Collection[str]) -> Write | None:
        """Return what a call writes to a place that processes share.

        A model among the names in `ranked` is taken for one that saves on the right ranks.
        """
        places = self._checkpoint(node, ranked)
        is_checkpoint = places is not None
        if places is None and id(node) not in self._coordinated:
            places = _destination(node) or None
        target = self._targets.of(*places) if places is not None else None
        if target is None or target.private or not (is_checkpoint or target.fixed):
            return None
        call = dotted_name(node.func).replace("?.", "")
        options = tuple(sorted(target.options))
        save = Save(node.lineno, node.col_offset + 1, call, target.shared, options)
        handle = self._handles.get(id(node), "")
        return Write(save, is_checkpoint, handle, frozenset(map(last_name, places or ())))

    def _checkpoint(self, node: ast.Call, ranked: Collection[str]) -> list[ast.expr] | None:
        """Return the arguments that say where a call saves to; None if it saves no checkpoint."""
        name = last_name(node.func)
        if name in WRITERS:
            return self._of_writer(node, name)
        if name in _SAVE_METHODS:
            return argument(node, 0, "filepath", "save_directory")
        if name not in {"save", "save_model"}:
            return None
        called = dotted_name(node.func)
        if called.endswith(_SAVE_FUNCTIONS):
            return argument(node, 1, "f", "filepath", "export_dir")
        owner = called.rpartition(".")[0].rpartition(".")[2]
        is_model = owner in self._models or _MODEL.fullmatch(owner)
        return all_arguments(node) if name == "save" and is_model and owner not in ranked else None

    def _of_writer(self, node: ast.Call, name: str) -> list[ast.expr] | None:
        if name in self._rank_aware or dotted_name(node.func).startswith(("pl.", *_RANK_AWARE)):
            return None
        if name == "ModelCheckpoint":
            return argument(node, 0, "filepath")
        if name == "CheckpointSaverHook":
            places = argument(node, 0, "checkpoint_dir")
        else:
            wanted = "model_dir" if name == "Estimator" else "checkpoint_dir"
            places = [each.value for each in node.keywords if each.arg == wanted]
        chief = [each.value for each in node.keywords if each.arg == "is_chief"]
        # A session writes as the chief only, so that this may mention the rank for it.
        return None if not places or is_none(places[0]) else [*places, *chief]


def _destination(node: ast.Call) -> list[ast.expr]:
    """Return the expressions that say where a call writes a file to; none if it does not."""
    name = last_name(node.func)
    if name in _OPENERS:
        if isinstance(node.func, ast.Attribute) and any(map(_truncates, node.args[:1])):
            return [node.func.value]  # path.open("w")
        truncates = any(map(_truncates, argument(node, 1, "mode")))
        return argument(node, 0, "file", "name") if truncates else []
    if name in _NUMPY_SAVES and dotted_name(node.func).rpartition(".")[0] in {"np", "numpy"}:
        return argument(node, 0, "file", "fname")
    if name == "dump" and dotted_name(node.func) == "joblib.dump":
        return argument(node, 1, "filename")
    if name in _PATH_METHODS and isinstance(node.func, ast.Attribute):
        return [node.func.value]
    if name in _DATA_METHODS:
        return argument(node, 0, "path_or_buf", "path", "fname")
    return []


def _truncates(mode: ast.expr) -> bool:
    return _NEW.fullmatch(text_of(mode)) is not None


def _coordinates(test: ast.expr) -> bool:
    return any(map(_COORDINATION.fullmatch, mentioned_names(test)))
