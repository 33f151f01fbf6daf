"""Whether a Python script asks Horovod for something before it initialises it.

The script's statements are followed in the order in which they surely run: the module's, those
under `if __name__ == "__main__":`, and those of the script's functions where they are called. What
may or may not run is not followed, and where Horovod may be initialised the walk ends.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

from bai.linter.python.horovod_names import COLLECTIVES, HorovodNames
from bai.linter.python.results import Question
from bai.linter.python.syntax_tree import (
    assigned_names,
    dotted_name,
    is_main,
    last_name,
)

QUESTIONS = frozenset({"rank", "size", "local_rank", "local_size", "cross_rank", "cross_size"})
"""What raises ValueError before init. The questions for how Horovod was built do not."""
_OF_TORCH = COLLECTIVES - {"broadcast_optimizer_state"} | {"DistributedOptimizer"}
"""What else fails before init with PyTorch. TensorFlow may only note them for later."""
_RUNNERS = frozenset({"run", "main", "launch", "Fire"})
"""Calls of others that may call any function of the script: `tf.app.run()`."""
_LATER = (ast.Lambda, ast.GeneratorExp)
_MOST_CALLS = 8
"""Calls from one function to the next that are followed to init."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def early_question(
    tree: ast.Module,
    nodes: Sequence[ast.AST],
    horovod: HorovodNames,
    frameworks: Collection[str],
) -> Question | None:
    """Return the first use of Horovod that surely comes before init and fails, if any.

    Args:
        tree: the script.
        nodes: all nodes of it, parents before their children.
        horovod: Horovod's names in it.
        frameworks: what it uses Horovod with: `torch`, for example.
    """
    if not any(isinstance(node, ast.Call) and _is_init(node.func, horovod) for node in nodes):
        return None
    for node in nodes:
        if isinstance(node, ast.Assign) and horovod.modules & set(assigned_names(node.targets)):
            return None  # Horovod's name is also that of something else
    starting = _find_starting(nodes, horovod)
    if starting is None:
        return None
    asking = QUESTIONS | _OF_TORCH if frameworks == {"torch"} else QUESTIONS
    run = _Run(nodes, horovod, starting, asking)
    try:
        run.block(tree.body)
    except _Over:
        return run.early
    return None


def _is_init(node: ast.AST, horovod: HorovodNames) -> bool:
    return horovod.function(node) == "init"


def _find_starting(nodes: Sequence[ast.AST], horovod: HorovodNames) -> set[int] | None:
    """Return the ids of the nodes that may lead to init, or let a function do so.

    None if there are too many functions on the way to tell.
    """
    names: set[str] = set()
    for _ in range(_MOST_CALLS):
        before = len(names)
        found: set[int] = set()
        for node in reversed(nodes):  # children first
            if (
                horovod.may_initialise(node)
                or (isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) in names)
                or any(id(child) in found for child in ast.iter_child_nodes(node))
            ):
                found.add(id(node))
                if isinstance(node, _DEFINITIONS):
                    names.add(node.name)
        if len(names) == before:
            return found
    return None


class _Over(Exception):  # noqa: N818 - it is no error
    """Nothing more can be said of what comes."""


class _Run:
    """A script's statements, in order."""

    def __init__(
        self,
        nodes: Sequence[ast.AST],
        horovod: HorovodNames,
        starting: Collection[int],
        asking: Collection[str],
    ) -> None:
        self.early: Question | None = None
        self._horovod = horovod
        self._starting = starting
        self._asking = asking
        self._functions: dict[str, ast.FunctionDef | None] = {}
        """The functions that may be followed; None for those that may not."""
        methods: set[int] = set()
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                methods.update(map(id, node.body))
            if isinstance(node, _DEFINITIONS) and id(node) not in methods:
                known = node.name in self._functions
                self._functions[node.name] = None if known else _followable(node)
        self._entered: set[str] = set()

    def block(self, body: Iterable[ast.stmt]) -> bool:
        """Follow statements; return whether what comes after them is still reached.

        Raises:
            _Over: a question was asked too early, or Horovod may be initialised.
        """
        return all(self._statement(statement) for statement in body)

    def _statement(self, node: ast.stmt) -> bool:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._all([*node.decorator_list, *node.args.defaults])
        elif isinstance(node, ast.ClassDef):
            self._all([*node.decorator_list, *node.bases])
            return self.block(node.body)
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self._all(item.context_expr for item in node.items)
            return self.block(node.body)
        elif isinstance(node, ast.If):
            if is_main(node.test):
                return self.block(node.body)
            self._all([node.test])
            self._unsure([*node.body, *node.orelse])
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            self._all([node.iter])
            self._unsure([*node.body, *node.orelse])
        elif isinstance(node, ast.While):
            self._all([node.test])
            self._unsure([*node.body, *node.orelse])
        elif isinstance(node, (ast.Try, ast.TryStar, ast.Match)):
            self._unsure([node])
        else:
            self._all(ast.iter_child_nodes(node))
        return not isinstance(node, (ast.Return, ast.Raise))

    def _unsure(self, nodes: Iterable[ast.AST]) -> None:
        """Pass over what may or may not run."""
        if any(id(node) in self._starting for node in nodes):
            raise _Over

    def _all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self._expression(node)

    def _expression(self, node: ast.AST) -> None:
        if isinstance(node, _LATER):
            self._unsure([node])
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp)):
            self._expression(node.generators[0].iter)
            self._unsure([node])
        elif isinstance(node, ast.IfExp):
            self._expression(node.test)
            self._unsure([node.body, node.orelse])
        elif isinstance(node, ast.BoolOp):
            self._expression(node.values[0])
            self._unsure(node.values[1:])
        elif isinstance(node, ast.Call):
            self._call(node)
        else:
            self._all(ast.iter_child_nodes(node))
            if isinstance(node, (ast.Name, ast.Attribute)):
                self._unsure([node])

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self._expression(node.func.value)
        self._all([*node.args, *(keyword.value for keyword in node.keywords)])
        asked = self._horovod.function(node.func)
        if asked in self._asking:
            self.early = Question(node.lineno, dotted_name(node.func))
            raise _Over
        if asked == "is_initialized" or last_name(node.func) in _RUNNERS - self._functions.keys():
            raise _Over
        function = None
        if isinstance(node.func, ast.Name):
            function = self._functions.get(node.func.id)
        if function is None:
            self._unsure([node])
        elif function.name not in self._entered:
            self._entered.add(function.name)
            self.block(function.body)


def _followable(node: ast.AST) -> ast.FunctionDef | None:
    """Return a definition if calling it runs its body, and nothing else."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return None
    makes_generator = any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(node))
    return None if makes_generator else node
