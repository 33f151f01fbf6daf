"""Uses of what Horovod has for Keras beside its exchanges: made for Keras 2."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.results import Use
from bai.linter.python.syntax_tree import dotted_name

_PARTS: Final = frozenset({"horovod.keras", "horovod.tensorflow.keras"})
_WRAPPERS: Final = frozenset({"DistributedOptimizer", "callbacks", "load_model"})


def keras_wrappers(script: HorovodScript) -> Iterator[Use]:
    """Find the uses of Horovod's optimizer, callbacks and loader of models for Keras."""
    for each in script.imports:
        is_part = any(each.path[: part.count(".") + 1] == part.split(".") for part in _PARTS)
        if is_part and _WRAPPERS.intersection(each.path):
            yield Use(each.line, ".".join(each.path))
    for node in script.of(ast.Attribute):
        parts = script.parts.get(dotted_name(node.value))
        if parts and parts <= _PARTS and node.attr in _WRAPPERS:
            yield Use(node.lineno, dotted_name(node))
