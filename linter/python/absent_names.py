"""Where a Python script uses names that Horovod does not have.

The package `horovod` itself has little: most is in its parts for frameworks. A name counts as
misspelt if no part of Horovod has it and it is close to one that the part in question has. Versions
differ, so a name that is like no other is left out, and so is one that the script itself doubts: it
sets it, asks whether it is there, or catches the error.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from bai.linter.python.horovod_api import COLLECTIVES, FRAMEWORKS, KNOWN, PARTS, QUERIES
from bai.linter.python.results import BareUse, Misspelt
from bai.linter.python.script_model import Import, ScriptModel, imports_of
from bai.linter.python.syntax_tree import catches, dotted_name
from bai.specs.names import nearest

if TYPE_CHECKING:
    from bai.linter.python.horovod_names import HorovodNames

_IN_PARTS = (
    COLLECTIVES
    | QUERIES
    | {"init", "shutdown", "is_initialized", "mpi_built", "nccl_built", "gloo_built", "Compression"}
    | {"DistributedOptimizer", "DistributedGradientTape", "DistributedTrainer", "callbacks"}
)
"""What `horovod.torch` and its like have; `horovod` itself has `run` and no more."""
_ALIKE = 0.8
"""How alike a name must be to a known one: `ranks` is near `rank`, `world_size` is not."""
_MOST = 100
"""Names that are compared with the known ones: nobody misspells more."""
_NAMESPACES = ("callbacks", "Compression")
"""Parts of parts whose names are known, too."""
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


def imports_alike(body: Sequence[ast.stmt]) -> bool:
    """Return whether some statements import a package with nearly the name of Horovod."""
    return any(_is_misspelt_root(each.path) for node in body for each in imports_of(node))


def bare_uses(model: ScriptModel) -> Iterator[BareUse]:
    """Yield the uses of the package `horovod` that fail, in order of place."""
    imported: dict[str, set[int]] = {}  # name of the package -> ids of its imports
    for each in model.imports:
        is_bare = each.module == "horovod" or not each.alias.asname
        if each.name is None and each.path[0] == "horovod" and is_bare:
            name = each.alias.asname or "horovod"
            imported.setdefault(name, set()).add(id(each.alias))
    uses = [node for node in model.of(ast.Attribute) if node.attr in _IN_PARTS] if imported else []
    for node in sorted(uses, key=lambda node: (node.lineno, node.col_offset)):
        known = imported.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if known and all(id(each) in known for each in model.values(node.value)):
            yield BareUse(node.lineno, dotted_name(node), _meant_part(model))


def _meant_part(model: ScriptModel) -> str | None:
    """Return the part of Horovod for the framework that a script imports; None if unclear."""
    imported = {".".join(filter(None, (each.module, each.name))) for each in model.imports}
    roots = {name.partition(".")[0] for name in imported}
    found = {f"horovod.{framework}" for framework in {"torch", "keras", "mxnet"} & roots}
    if "tensorflow" in roots:
        uses_keras = any(name.startswith("tensorflow.keras") for name in imported) or any(
            dotted_name(node) == "tf.keras" for node in model.of(ast.Attribute)
        )
        found.add("horovod.tensorflow.keras" if uses_keras else "horovod.tensorflow")
    return found.pop() if len(found) == 1 else None


def misspelt_names(script: HorovodNames) -> Iterator[Misspelt]:
    """Yield the names of Horovod that a script misspells."""
    tries = [
        node
        for node in script.of(ast.Try)
        if any(catches(handler, _IMPORT_ERRORS) for handler in node.handlers)
    ]
    caught = script.within(part for node in tries for part in (*node.body, *node.handlers))
    imports = (each for each in script.imports if id(each.alias) not in caught)
    of_horovod = (
        each
        for each in imports
        if each.path[:1] == ["horovod"] or not FRAMEWORKS.isdisjoint(each.path[1:2])
    )
    for each in islice(of_horovod, _MOST):
        yield from _in_import(each)
    yield from _in_attributes(script)


def _in_import(each: Import) -> Iterator[Misspelt]:
    path = each.path
    if path[0] != "horovod":
        if _is_misspelt_root(path):
            meant = ".".join(["horovod", *path[1:]])
            yield Misspelt(each.line, ".".join(path), None, meant)
        return
    for length in range(1, len(path)):
        part = ".".join(path[:length])
        if part not in PARTS:
            return
        if name := _nearest(path[length], part):
            yield Misspelt(each.line, f"{part}.{path[length]}", part, f"{part}.{name}")
            return


def _in_attributes(script: HorovodNames) -> Iterator[Misspelt]:
    """Yield the attributes of imported modules that are misspelt."""
    modules = {name: sorted(parts) for name, parts in script.parts.items() if parts <= PARTS.keys()}
    modules |= {f"{name}.{inner}": [inner] for name in modules for inner in _NAMESPACES}
    if not modules or any(node.id == "AttributeError" for node in script.of(ast.Name)):
        return
    texts = {node.value for node in script.of(ast.Constant)}  # `hasattr` may ask for these
    attributes = script.of(ast.Attribute)
    own = {dotted_name(node) for node in attributes if not isinstance(node.ctx, ast.Load)}
    compared: set[str] = set()
    for node in attributes:
        name, owner = node.attr, dotted_name(node.value)
        parts = modules.get(owner, ())
        if not parts or name in KNOWN or name in texts or f"{owner}.{name}" in own:
            continue
        compared.add(name)
        if len(compared) > _MOST:
            return
        if meant := next(filter(None, (_nearest(name, part) for part in parts)), None):
            package = owner if parts[0] in _NAMESPACES else parts[0]
            yield Misspelt(node.lineno, f"{owner}.{name}", package, f"{owner}.{meant}")


def _is_misspelt_root(path: Sequence[str]) -> bool:
    """Return whether a package with nearly the name of Horovod has a framework in it."""
    return (
        len(path) > 1
        and path[1] in FRAMEWORKS
        and path[0] != "horovod"
        and len(path[0]) <= len("horovod") + 1
        and (path[0].lower() == "horovod" or "horovod" not in path[0])  # `horovod2` may be there
        and nearest(path[0], ("horovod",), _ALIKE) is not None
    )


def _nearest(name: str, part: str) -> str | None:
    if name in KNOWN or name.startswith("_") or name == "*":
        return None
    return nearest(name, sorted(PARTS[part]), _ALIKE)
