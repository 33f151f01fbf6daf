"""Which calls of a Python script write a checkpoint, and where to."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from bai.linter.python.syntax_tree import (
    argument,
    dotted_name,
    keyword_values,
    last_name,
)
from bai.linter.python.value_flows import Flow

_MODEL = re.compile(
    r"(?i)(?:.*_)?(?:model|net|network|classifier|autoencoder|generator|discriminator|encoder|decoder"
    r"|saver|checkpoint|ckpt|(?:checkpoint_|ckpt_)?manager)\d*"
)
"""What has a `save` that writes a checkpoint."""
MODEL_MAKERS = frozenset(
    {"Model", "Sequential", "Saver", "Checkpoint", "CheckpointManager", "load_model"}
)
"""Calls that make something with such a `save`."""
_SAVE_METHODS = frozenset({"save_weights", "save_pretrained"})
_SAVE_FUNCTIONS = ("torch.save", "saved_model.save", "models.save_model")
WRITERS = frozenset(
    {"ModelCheckpoint", "MonitoredTrainingSession", "CheckpointSaverHook", "Estimator"}
)
"""Things that write checkpoints by themselves while they are used."""
_BY_OTHERS = ("pytorch_lightning", "lightning")
"""Libraries whose ModelCheckpoint knows of ranks."""


class CheckpointCalls:
    """What in a script saves a checkpoint."""

    def __init__(self, nodes: Sequence[ast.AST], flows: Sequence[Flow]) -> None:
        self._models: set[str] = set()
        """Names of what was made by something in MODEL_MAKERS."""
        for names, value in flows:
            if isinstance(value, ast.Call) and last_name(value.func) in MODEL_MAKERS:
                self._models |= names
        self._by_others: set[str] = set()
        """Names imported from something in _BY_OTHERS."""
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_BY_OTHERS):
                self._by_others.update(name.asname or name.name for name in node.names)

    def destination(self, node: ast.Call, ranked: Collection[str]) -> list[ast.expr] | None:
        """Return the arguments that say where a call saves to, or None if it saves nothing.

        A model among the names in `ranked` knows by itself which ranks save it.
        """
        name = last_name(node.func)
        if name in WRITERS:
            return self._writes_to(node, name)
        if name in _SAVE_METHODS:
            return argument(node, 0, "filepath", "save_directory")
        if name not in {"save", "save_model"}:
            return None
        called = dotted_name(node.func)
        if called.endswith(_SAVE_FUNCTIONS):
            return argument(node, 1, "f", "filepath", "export_dir")
        owner = called.rpartition(".")[0].rpartition(".")[2]
        is_model = owner in self._models or _MODEL.fullmatch(owner)
        if name == "save" and is_model and owner not in ranked:
            return [*node.args, *keyword_values(node)]
        return None

    def _writes_to(self, node: ast.Call, name: str) -> list[ast.expr] | None:
        if name in self._by_others or dotted_name(node.func).startswith(("pl.", *_BY_OTHERS)):
            return None
        if name == "ModelCheckpoint":
            return argument(node, 0, "filepath")
        if name == "CheckpointSaverHook":
            places = argument(node, 0, "checkpoint_dir")
        else:
            wanted = "model_dir" if name == "Estimator" else "checkpoint_dir"
            places = [each.value for each in node.keywords if each.arg == wanted]
        chief = [each.value for each in node.keywords if each.arg == "is_chief"]
        nowhere = not places or (isinstance(places[0], ast.Constant) and places[0].value is None)
        # A session writes as the chief only, so that this may speak of the rank for it.
        return None if nowhere else [*places, *chief]
