"""Where a Python script misspells a name of Horovod.

A name counts if no part of Horovod has it and it is close to one that the part in question has.
Versions differ, so a name that is like no other is not told, and neither is one that the script
shows to be unsure of: it sets it, asks whether it is there, or catches the error.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from bai.linter.python.bindings import Bindings
from bai.linter.python.horovod_names import FRAMEWORKS
from bai.linter.python.horovod_parts import KNOWN, PARTS
from bai.linter.python.results import Misspelt
from bai.linter.python.syntax_tree import dotted_name, last_name
from bai.specs.names import nearest

_ALIKE = 0.8
"""How alike a name must be to one that is there: `ranks` is near `rank`, `world_size` is not."""
_MOST = 100
"""Names that are compared with those that are there: nobody writes more that are wrong."""
_INNER = ("callbacks", "Compression")
"""What is in a part and has names that are known, too."""
_CATCHES = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})


def imports_alike(body: Sequence[ast.stmt]) -> bool:
    """Return whether some of the statements import what is nearly called like Horovod."""
    return any(_meant_root(path) for node in body for path in _paths(node))


def misspelt_names(nodes: Sequence[ast.AST], bound: Bindings) -> tuple[Misspelt, ...]:
    """Return the names of Horovod that a script misspells, by line; `nodes` are all its nodes."""
    tried = _tried(nodes)
    imports = [node for node in nodes if _paths(node) and id(node) not in tried]
    found = {each for node in imports[:_MOST] for each in _imported(node)}
    found |= set(_used(nodes, _modules(nodes, bound)))
    return tuple(sorted(found, key=lambda each: (each.line, each.name)))


def _imported(node: ast.AST) -> Iterator[Misspelt]:
    """Yield what an import misspells."""
    line = getattr(node, "lineno", 1)
    for path in _paths(node):
        name = ".".join(path)
        if path[0] != "horovod":
            if _meant_root(path):
                yield Misspelt(line, name, None, ".".join(["horovod", *path[1:]]))
            continue
        for length in range(1, len(path)):
            part = ".".join(path[1:length])
            if part not in PARTS:
                break
            if meant := _meant(path[length], part):
                whole = ".".join([*path[:length], meant])
                yield Misspelt(line, ".".join(path[: length + 1]), _package(part), whole)
                break


def _used(nodes: Sequence[ast.AST], modules: dict[str, set[str]]) -> Iterator[Misspelt]:
    """Yield what a script misspells of the modules that it imported."""
    if not modules:
        return
    asked = {  # names that `hasattr` asks for, perhaps
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    if any(isinstance(node, ast.Name) and node.id == "AttributeError" for node in nodes):
        return
    attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
    compared: set[str] = set()
    own = {dotted_name(node) for node in attributes if not isinstance(node.ctx, ast.Load)}
    for node in attributes:
        name = node.attr
        if name in KNOWN or name in asked:
            continue
        owner = dotted_name(node.value)
        if f"{owner}.{name}" in own:
            continue
        module, _, inner = owner.rpartition(".")
        if owner in modules:
            parts: Collection[str] = modules[owner]
        elif inner in _INNER and module in modules:
            parts = {inner}
        else:
            continue
        compared.add(name)
        if len(compared) > _MOST:
            return
        meant = next(filter(None, (_meant(name, part) for part in sorted(parts))), None)
        if meant:
            package = _package(min(parts)) if owner in modules else owner
            yield Misspelt(node.lineno, f"{owner}.{name}", package, f"{owner}.{meant}")


def _modules(nodes: Sequence[ast.AST], bound: Bindings) -> dict[str, set[str]]:
    """Return what surely is a part of Horovod: its name in the script -> the parts it may be."""
    found: dict[str, set[str]] = {}
    imported: set[int] = set()
    for node in nodes:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        for alias, path in zip(node.names, _paths(node), strict=False):
            part = ".".join(path[1:])
            if path[0] == "horovod" and path[1:2] and path[1] in FRAMEWORKS and part in PARTS:
                imported.add(id(alias))
                found.setdefault(alias.asname or alias.name, set()).add(part)
            elif path[0] == "horovod" and isinstance(node, ast.Import) and not alias.asname:
                imported.add(id(alias))  # `import horovod.spark` binds `horovod` as well
    return {
        name: parts
        for name, parts in found.items()
        if all(
            id(each) in imported or (isinstance(each, ast.Constant) and each.value is None)
            for each in bound[name.partition(".")[0]]
        )
    }


def _paths(node: ast.AST) -> list[list[str]]:
    """Return the parts of each name that an import imports: `horovod`, `torch`, `rank`."""
    if isinstance(node, ast.Import):
        return [alias.name.split(".") for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [[*node.module.split("."), alias.name] for alias in node.names]
    return []


def _meant_root(path: Sequence[str]) -> bool:
    """Return whether `horovod` is meant: a package nearly called so with a framework in it."""
    root, *inner = path
    return (
        bool(inner)
        and inner[0] in FRAMEWORKS
        and root != "horovod"
        and len(root) <= len("horovod") + 1
        and (root.lower() == "horovod" or "horovod" not in root)  # `horovod2` may be there
        and nearest(root, ("horovod",), _ALIKE) is not None
    )


def _meant(name: str, part: str) -> str | None:
    if name in KNOWN or name.startswith("_") or name == "*":
        return None
    return nearest(name, sorted(PARTS[part]), _ALIKE)


def _package(part: str) -> str:
    return f"horovod.{part}" if part else "horovod"


def _tried(nodes: Sequence[ast.AST]) -> set[int]:
    """Return the ids of what is in a `try` that an import which fails does not end."""
    return {
        id(inner)
        for node in nodes
        if isinstance(node, ast.Try) and any(map(_catches, node.handlers))
        for statement in (*node.body, *node.handlers)
        for inner in ast.walk(statement)
    }


def _catches(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(last_name(name) in _CATCHES for name in names)
