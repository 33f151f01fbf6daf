"""What a Python module imports, and whether it may have to do with other processes."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import NamedTuple

from bai.linter.python.horovod_api import FRAMEWORKS
from bai.linter.python.script_model import Import, ScriptModel
from bai.linter.python.syntax_tree import last_name, text_of

_COORDINATES = re.compile(
    r"(?i)horovod|hvd|subprocess|runpy|importlib|__import__|exec|system|popen|spawn|distribut|mpi4py"
    r"|\bmpi\b|mpirun|rank|nccl|gloo|kvstore|strategy|task_?index|hostname|worker_?id"
)
"""Words of code that may start or use other processes, or load code that does."""
_TRAINING = frozenset(
    {"backward", "fit", "fit_generator", "train_on_batch", "minimize", "apply_gradients"}
)
"""Calls of the frameworks that make a step of a training, or all of it."""
_HARMLESS = FRAMEWORKS.union(
    sys.stdlib_module_names,
    "absl azure bai click cv2 h5py horovod imageio joblib matplotlib mlflow numpy pandas PIL "  # noqa: SIM905
    "psutil requests scipy seaborn six skimage sklearn tensorboard tensorboardX torchaudio "
    "torchvision tqdm wandb yaml".split(),
)
"""Packages that neither start Horovod nor use it."""


class ModuleFacts(NamedTuple):
    """What is known of a module."""

    imports: tuple[Import, ...]
    coordinates: bool
    """Whether any word of its code is about other processes."""
    names_horovod: bool
    """Whether a text in it contains `horovod`, for a library that starts it."""
    calls_init: bool
    """Whether it may initialise Horovod."""
    trains: bool
    """Whether it calls what trains a model."""
    has_framework: bool
    """Whether it imports PyTorch, TensorFlow, Keras or MXNet."""

    @staticmethod
    def is_harmless(each: Import) -> bool:
        """Return whether an import certainly has nothing to do with Horovod, if it is not local."""
        return each.level == 0 and each.path[0] in _HARMLESS


def module_facts(source: bytes) -> ModuleFacts | None:
    """Return what is known of a module, or None if it can't be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        return _of_model(ScriptModel(tree))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of_model(model: ScriptModel) -> ModuleFacts:
    documentation = {id(node.value) for node in model.of(ast.Expr)}
    texts = {text_of(node) for node in model.of(ast.Constant) if id(node) not in documentation}
    words = {
        *map(last_name, model.of(ast.Name, ast.Attribute)),
        *(node.arg or "" for node in model.of(ast.arg, ast.keyword)),
        *(word for each in model.imports for word in (each.module, each.name or "")),
    }
    called = {call.func.attr for call in model.of(ast.Call) if isinstance(call.func, ast.Attribute)}
    return ModuleFacts(
        tuple(model.imports),
        coordinates=any(map(_COORDINATES.search, words | texts)),
        names_horovod=any("horovod" in text.lower() for text in texts),
        calls_init="init" in words and any("horovod" in word for word in words),
        trains=not called.isdisjoint(_TRAINING),
        has_framework=any(each.module.partition(".")[0] in FRAMEWORKS for each in model.imports),
    )
