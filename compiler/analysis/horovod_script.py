"""Whether a Horovod script initialises Horovod, and which checkpoints every rank would write.

A save is safe under any condition that speaks of the rank, in whatever way. What is told here has
no such condition on some way from the script's beginning to the save; where that can't be told
(code that nothing in the script calls, a path that the rank is part of), nothing is said.

Names are not followed through scopes: one that holds the rank anywhere holds it everywhere.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bai.compiler.analysis.python_script import Save, ScriptFacts

_FRAMEWORKS = ("torch", "tensorflow", "keras", "mxnet")
"""Parts of Horovod whose users call init. horovod.spark, .ray and .runner do it themselves."""

_RANKISH = re.compile(
    r"(?:.*_)?(?:local_|global_|world_|node_)?rank(?:_?(?:0|zero|id|is_0))?(?:_only)?"
    r"|(?:.*_)?(?:is|only|on|if)_?(?:the_)?(?:chief|main|master|root|primary|leader|coordinator|first"
    r"|rank_?0|rank_?zero).*|(?:chief|master|primary|root|leader)(?:_only|_rank)?",
    re.IGNORECASE,
)
"""Names that speak of the rank by themselves."""

_PASSES_ON = frozenset({"bool", "int", "str", "format", "join", "Path", "not_", "eq", "int32"})
"""Calls whose result tells the rank if their arguments do."""

_MODEL = re.compile(
    r"(?i)(?:.*_)?(?:model|net|network|classifier|autoencoder|generator|discriminator|encoder|decoder"
    r"|saver|checkpoint|ckpt|(?:checkpoint_|ckpt_)?manager)\d*"
)
"""What has a `save` that writes a checkpoint."""
_MAKES_MODEL = frozenset(
    {"Model", "Sequential", "Saver", "Checkpoint", "CheckpointManager", "load_model"}
)
_SAVE_METHODS = frozenset({"save_weights", "save_pretrained"})
_SAVE_FUNCTIONS = ("torch.save", "saved_model.save", "models.save_model")
_WRITERS = frozenset({"ModelCheckpoint", "MonitoredTrainingSession", "CheckpointSaverHook"})
"""Things that write checkpoints by themselves while they are used."""
_BY_OTHERS = ("pytorch_lightning", "lightning")
"""Libraries whose ModelCheckpoint knows of ranks."""

_ASKS_WHO = frozenset({"rank", "local_rank", "cross_rank", "get_rank"})
_EXITS = frozenset({"exit", "_exit", "quit"})


class _Event(NamedTuple):
    """Something that code does: a save, or the mention of a name."""

    scope: str
    name: str
    save: Save | None


def facts(tree: ast.Module) -> ScriptFacts:
    """Return what a parsed script tells.

    Raises:
        RecursionError: the tree is too deep.
    """
    horovod = _Horovod(tree)
    if horovod.line is None:
        return ScriptFacts(None, initialises=False, saves=())
    saves = tuple(sorted(_Saves(tree, horovod).found()))
    return ScriptFacts(horovod.line, initialises=horovod.initialises(tree), saves=saves)


def _dotted(node: ast.AST) -> str:
    """Return `a.b.c` for such an expression; calls and subscripts on the way give `?`."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "?")
    return ".".join(reversed(parts))


def _last(node: ast.AST) -> str:
    """Return `c` for `a.b.c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else "?"


class _Horovod:
    """What a script calls Horovod, and the names it took from it."""

    def __init__(self, tree: ast.Module) -> None:
        self.line: int | None = None
        self.modules = {"hvd", "horovod"}
        self.inits: set[str] = set()
        self.foreign: set[str] = set()
        """Names imported from anywhere else, which may wrap Horovod."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for name in node.names:
                    self._import(node, name.name, name.asname or name.name)
            elif isinstance(node, ast.ImportFrom):
                for name in node.names:
                    self._import_from(node, name.name, name.asname or name.name)

    def _import(self, node: ast.stmt, module: str, alias: str) -> None:
        if not module.startswith("horovod"):
            self.foreign.add(alias)
            return
        self.modules.add(alias)
        self._seen(node, module.split("."))

    def _import_from(self, node: ast.ImportFrom, name: str, alias: str) -> None:
        module = (node.module or "").split(".")
        if module[0] != "horovod" or node.level:
            self.foreign.add(alias)
            return
        if name == "init" or name == "*":
            self.inits.add("init" if name == "*" else alias)
        self.modules.add(alias)
        self._seen(node, [*module, name])

    def _seen(self, node: ast.stmt, path: list[str]) -> None:
        if len(path) > 1 and path[1] in _FRAMEWORKS:
            self.line = min(self.line or node.lineno, node.lineno)

    def initialises(self, tree: ast.Module) -> bool:
        """Return whether `init` is mentioned, or Horovod handed to code that may call it."""
        return any(self._may_initialise(node) for node in ast.walk(tree))

    def _may_initialise(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute) and node.attr == "init":
            owner = _dotted(node.value)
            return (
                owner in self.modules
                or owner.rpartition(".")[2] in {"hvd", "horovod"} | self.modules
            )
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            return node.id in self.inits
        if isinstance(node, ast.Call):
            called = _dotted(node.func)
            if any(_dotted(argument) in self.modules for argument in node.args):
                return True
            if called.endswith("import_module"):
                return True
            if called.partition(".")[0] in self.foreign:
                return bool(re.search(r"(?i)horovod|hvd|distrib|init_|setup|_init", called))
        return False

    def asks_who(self, node: ast.AST) -> bool:
        """Return whether a node asks which process this is."""
        return isinstance(node, ast.Call) and _last(node.func) in _ASKS_WHO

    def asks_if_alone(self, node: ast.AST) -> bool:
        """Return whether a node asks how many processes there are."""
        if not isinstance(node, ast.Call) or _last(node.func) not in {"size", "local_size"}:
            return False
        owner = _dotted(node.func).rpartition(".")[0]
        return owner in self.modules or owner.rpartition(".")[2] in self.modules


class _Saves:
    """The saves of a script, by a walk that knows what stands under a condition on the rank."""

    def __init__(self, tree: ast.Module, horovod: _Horovod) -> None:
        self.horovod = horovod
        self.nodes = list(ast.walk(tree))
        """All nodes, parents before their children."""
        self.functions: dict[str, list[str]] = {}
        """Name of a function or class -> the scopes that run with it."""
        self.methods: dict[str, tuple[str, str]] = {}
        """Scope of a method -> its name and its class."""
        self.models: set[str] = set()
        """Names of what was made by something in _MAKES_MODEL."""
        self.by_others: set[str] = set()
        self.events: list[_Event] = []
        self.kept: tuple[str, ...] = ()
        """The names that the value which is being walked is assigned to."""
        self.ranked: set[str] = set()
        """Names that tell the rank, or that only some ranks set."""
        self.speaking: set[int] = set()
        """Ids of the nodes within which the rank is spoken of."""
        self._collect()
        self._block(tree.body, "", guarded=False)

    def found(self) -> set[Save]:
        """Return the saves that are reached without a condition."""
        reached = {""}
        while True:
            mentioned = {
                event.name for event in self.events if event.scope in reached and not event.save
            }
            more = set(self._called(mentioned)) - reached
            if not more:
                break
            reached |= more
        return {
            event.save
            for event in self.events
            if event.save and event.scope in reached and event.name in {"", *mentioned}
        }

    def _called(self, mentioned: set[str]) -> Iterator[str]:
        """Yield the scopes that mentioning these names may run."""
        everywhere = {event.name for event in self.events}
        for name in mentioned & self.functions.keys():
            yield from self.functions[name]
        for scope, (name, owner) in self.methods.items():
            # A method that the script never mentions is called by a framework (on_epoch_end).
            if owner in mentioned and (name in mentioned or name not in everywhere):
                yield scope

    # What names hold

    def _collect(self) -> None:
        assigned = [*self._assignments(), *self._returns(), *self._arguments()]
        for _ in range(8):  # names that pass the rank on in longer chains are not followed
            before = len(self.ranked)
            for names, value in assigned:
                if not names <= self.ranked and self._tells_rank(value):
                    self.ranked |= names
            if len(self.ranked) == before:
                break
        self.speaking = self._find_speaking()
        self._set_by_some_ranks()
        for names, value in assigned:
            if isinstance(value, ast.Call) and _last(value.func) in _MAKES_MODEL:
                self.models |= names
                if self._speaks(*value.args, *_values(value)):
                    self.ranked |= names
        self.speaking = self._find_speaking()
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_BY_OTHERS):
                self.by_others.update(name.asname or name.name for name in node.names)

    def _assignments(self) -> Iterator[tuple[set[str], ast.expr]]:
        for node in self.nodes:
            if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if node.value is not None:
                    yield set(_names(targets)), node.value

    def _returns(self) -> Iterator[tuple[set[str], ast.expr]]:
        """Yield the names of functions with what they return."""
        owners: dict[int, str] = {}
        for node in self.nodes:
            owner = owners.get(id(node), "")
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                owner = node.name
            elif isinstance(node, ast.Return) and node.value is not None:
                yield {owner}, node.value
            owners.update((id(child), owner) for child in ast.iter_child_nodes(node))

    def _arguments(self) -> Iterator[tuple[set[str], ast.expr]]:
        """Yield the parameters of the script's functions with what calls give them."""
        parameters = {
            node.name: [argument.arg for argument in node.args.args]
            for node in self.nodes
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        }
        for node in self.nodes:
            if isinstance(node, ast.Call) and (known := parameters.get(_last(node.func))):
                taken = known[1:] if known[0] == "self" else known
                yield from (({name}, value) for name, value in zip(taken, node.args, strict=False))
                for keyword in node.keywords:
                    if keyword.arg in known:
                        yield {keyword.arg}, keyword.value

    def _set_by_some_ranks(self) -> None:
        """Take names for the rank's that a condition on it sets: `if rank == 0: folder = ...`."""
        under: set[int] = set()
        for node in self.nodes:
            inside = id(node) in under or (isinstance(node, ast.If) and self._speaks(node.test))
            if inside:
                under.update(id(child) for child in ast.iter_child_nodes(node))
                if isinstance(node, ast.Assign):
                    self.ranked.update(_names(node.targets))

    def _tells_rank(self, value: ast.AST) -> bool:
        """Return whether a value says who this process is (and was not merely made with it)."""
        if isinstance(value, ast.Call):
            if self.horovod.asks_who(value) or _last(value.func) in self.ranked:
                return True
            if _last(value.func) not in _PASSES_ON:
                return False
        elif isinstance(value, (ast.Name, ast.Attribute)):
            return self._is_rankish(value)
        elif isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Lambda)):
            return False
        return any(self._tells_rank(child) for child in ast.iter_child_nodes(value))

    def _is_rankish(self, node: ast.Name | ast.Attribute) -> bool:
        name = _last(node)
        return name in self.ranked or bool(_RANKISH.fullmatch(name))

    def _find_speaking(self) -> set[int]:
        found: set[int] = set()
        for node in reversed(self.nodes):
            if (
                self.horovod.asks_if_alone(node)
                or (isinstance(node, (ast.Name, ast.Attribute)) and self._is_rankish(node))
                or (isinstance(node, ast.Constant) and str(node.value)[-4:] == "RANK")
                or any(id(child) in found for child in ast.iter_child_nodes(node))
            ):
                found.add(id(node))
        return found

    def _speaks(self, *nodes: ast.AST) -> bool:
        """Return whether the rank is spoken of in some of these nodes."""
        return any(id(node) in self.speaking for node in nodes)

    # The walk

    def _block(self, body: list[ast.stmt], scope: str, *, guarded: bool) -> None:
        for statement in body:
            self._visit(statement, scope, guarded=guarded)
            guarded = guarded or self._ends_others(statement)

    def _ends_others(self, statement: ast.stmt) -> bool:
        """Return whether only some ranks go on after a statement."""
        if isinstance(statement, ast.Assert):
            return self._speaks(statement.test)
        if not isinstance(statement, ast.If) or not self._speaks(statement.test):
            return False
        lasts = [branch[-1] for branch in (statement.body, statement.orelse) if branch]
        return any(
            isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))
            or (
                isinstance(last, ast.Expr)
                and isinstance(last.value, ast.Call)
                and _last(last.value.func) in _EXITS
            )
            for last in lasts
        )

    def _visit(self, node: ast.AST, scope: str, *, guarded: bool) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._function(node, scope, guarded=guarded)
            return
        if isinstance(node, ast.ClassDef):
            self._class(node, scope, guarded=guarded)
            return
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            guarded = guarded or self._speaks(node.test)
        elif isinstance(node, ast.Match):
            guarded = guarded or self._speaks(node.subject)
        elif isinstance(node, (ast.BoolOp, ast.BinOp)):
            guarded = guarded or self._speaks(node)
        elif isinstance(node, ast.Call) and not guarded:
            self._call(node, scope)
        elif isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            # A guarded mention stands in a scope that is never reached.
            self.events.append(_Event("guarded" if guarded else scope, _last(node), None))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            self.kept = tuple(_names(targets))
            self._children(node, scope, guarded=guarded)
            self.kept = ()
            return
        self._children(node, scope, guarded=guarded)

    def _children(self, node: ast.AST, scope: str, *, guarded: bool) -> None:
        for _, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self._block(value, scope, guarded=guarded)
            elif isinstance(value, list):
                for one in value:
                    if isinstance(one, ast.AST):
                        self._visit(one, scope, guarded=guarded)
            elif isinstance(value, ast.AST):
                self._visit(value, scope, guarded=guarded)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: str, *, guarded: bool
    ) -> None:
        guarded = guarded or any(self._speaks(one) for one in node.decorator_list)
        inner = f"{scope}.{node.name}:{node.lineno}"
        self.functions.setdefault(node.name, []).append(inner)
        for one in (*node.decorator_list, *node.args.defaults):
            self._visit(one, scope, guarded=guarded)
        self._block(node.body, inner, guarded=guarded)

    def _class(self, node: ast.ClassDef, scope: str, *, guarded: bool) -> None:
        for base in node.bases:
            self._visit(base, f"{scope}.{node.name}", guarded=guarded)
        self.functions.setdefault(node.name, []).append(f"{scope}.{node.name}")
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
                inner = f"{scope}.{node.name}.{statement.name}:{statement.lineno}"
                self.methods[inner] = (statement.name, node.name)
                ranked = any(self._speaks(one) for one in statement.decorator_list)
                self._block(statement.body, inner, guarded=guarded or ranked)
            else:
                self._visit(statement, f"{scope}.{node.name}", guarded=guarded)

    def _call(self, node: ast.Call, scope: str) -> None:
        """Note a save. One that something does while it is used counts where its name is used."""
        places = self._saves_to(node)
        if places is None or self._speaks(*places):
            return
        call = _dotted(node.func).replace("?.", "")
        save = Save(node.lineno, node.col_offset + 1, call)
        names = self.kept if _last(node.func) in _WRITERS else ()
        self.events += [_Event(scope, name, save) for name in names or ("",)]

    def _saves_to(self, node: ast.Call) -> list[ast.expr] | None:
        """Return the arguments that say where a call saves to, or None if it saves nothing."""
        name = _last(node.func)
        if name in _WRITERS:
            return self._writes_to(node, name)
        if name in _SAVE_METHODS:
            return _argument(node, 0, "filepath", "save_directory")
        if name not in {"save", "save_model"}:
            return None
        called = _dotted(node.func)
        if called.endswith(_SAVE_FUNCTIONS):
            return _argument(node, 1, "f", "filepath", "export_dir")
        owner = called.rpartition(".")[0].rpartition(".")[2]
        is_model = owner in self.models or _MODEL.fullmatch(owner)
        if name == "save" and is_model and owner not in self.ranked:
            return [*node.args, *_values(node)]
        return None

    def _writes_to(self, node: ast.Call, name: str) -> list[ast.expr] | None:
        if name in self.by_others or _dotted(node.func).startswith(("pl.", *_BY_OTHERS)):
            return None
        if name == "ModelCheckpoint":
            return _argument(node, 0, "filepath")
        places = _argument(node, 99 if name == "MonitoredTrainingSession" else 0, "checkpoint_dir")
        nowhere = not places or (isinstance(places[0], ast.Constant) and places[0].value is None)
        return None if nowhere else places


def _names(targets: Iterable[ast.expr]) -> Iterator[str]:
    """Yield the names that an assignment sets, of attributes the last part."""
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from _names(target.elts)
        elif isinstance(target, (ast.Name, ast.Attribute)):
            yield _last(target)


def _values(node: ast.Call) -> Iterator[ast.expr]:
    return (keyword.value for keyword in node.keywords)


def _argument(node: ast.Call, position: int, *names: str) -> list[ast.expr]:
    """Return the argument at a position or under one of these names, or nothing."""
    for keyword in node.keywords:
        if keyword.arg in names:
            return [keyword.value]
    return node.args[position : position + 1]
