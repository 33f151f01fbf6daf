"""What a Python module imports, and whether it may have to do with other processes."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_COORDINATES = re.compile(
    r"(?i)horovod|hvd|subprocess|runpy|importlib|__import__|exec|system|popen|spawn|distribut|mpi4py"
    r"|\bmpi\b|mpirun|rank|nccl|gloo|kvstore|strategy|task_?index|hostname|worker_?id"
)
"""Words of code that may start or know of other processes, or load what does."""
_FRAMEWORKS = frozenset({"torch", "tensorflow", "keras", "mxnet"})
_TRAINING = frozenset(
    {"backward", "fit", "fit_generator", "train_on_batch", "minimize", "apply_gradients"}
)
"""Calls of the frameworks that make a step of a training, or all of it."""
_HARMLESS = (
    _FRAMEWORKS
    | frozenset(sys.stdlib_module_names)
    | {
        *("absl", "azure", "bai", "click", "cv2", "h5py", "horovod", "imageio", "joblib"),
        *("matplotlib", "mlflow", "numpy", "pandas", "PIL", "psutil", "requests", "scipy"),
        *("seaborn", "six", "skimage", "sklearn", "tensorboard", "tensorboardX", "torchaudio"),
        *("torchvision", "tqdm", "wandb", "yaml"),
    }
)
"""Packages that neither start Horovod nor know of it."""


class Import(NamedTuple):
    """One module that an import statement names."""

    level: int
    """Dots before it: 0 for a module that is looked for in the folder of the script."""
    path: tuple[str, ...]
    """Its name's parts; empty for `from . import x`."""
    names: tuple[str, ...]
    """What is taken from it, which may be modules as well."""

    @property
    def is_harmless(self) -> bool:
        """Whether it is known to have nothing to do with Horovod, if it is not a local module."""
        return self.level == 0 and self.path[0] in _HARMLESS


class ModuleFacts(NamedTuple):
    """What is known of a module."""

    imports: tuple[Import, ...]
    coordinates: bool
    """Whether any word of its code is about other processes."""
    names_horovod: bool
    """Whether a text in it says `horovod`, for a library that starts it."""
    calls_init: bool
    """Whether it may initialise Horovod."""
    trains: bool
    """Whether it calls what trains a model."""
    has_framework: bool
    """Whether it imports PyTorch, TensorFlow, Keras or MXNet."""


def module_facts(source: bytes) -> ModuleFacts | None:
    """Return what is known of a module, or None if it can't be parsed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        return _of_tree(list(ast.walk(tree)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _of_tree(nodes: Sequence[ast.AST]) -> ModuleFacts:
    said = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
    texts = {
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    }
    words = {word for node in nodes for word in _words(node)}
    imports = tuple(each for node in nodes for each in _imports(node))
    called = {
        node.func.attr
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    return ModuleFacts(
        imports,
        coordinates=any(_COORDINATES.search(word) for word in words | texts),
        names_horovod=any("horovod" in text.lower() for text in texts),
        calls_init="init" in words and any("horovod" in word for word in words),
        trains=not called.isdisjoint(_TRAINING),
        has_framework=any(each.path[:1] and each.path[0] in _FRAMEWORKS for each in imports),
    )


def _words(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, (ast.arg, ast.keyword)):
        yield node.arg or ""
    elif isinstance(node, ast.alias):
        yield node.name
    elif isinstance(node, ast.ImportFrom):
        yield node.module or ""


def _imports(node: ast.AST) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(0, tuple(alias.name.split(".")), ())
    elif isinstance(node, ast.ImportFrom):
        path = tuple(node.module.split(".")) if node.module else ()
        yield Import(node.level, path, tuple(alias.name for alias in node.names))
