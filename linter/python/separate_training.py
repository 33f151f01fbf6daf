"""Whether each process of a Horovod script trains for itself: nothing joins what they learn.

That is certain only of a script that asks Horovod nothing but who it is, trains on all ranks, and
shows that one model is wanted: it broadcasts the first weights, has a learning rate for the number
of processes, or saves on the first rank alone. A search that tries other settings on each rank does
none of these.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence

from bai.linter.python.bindings import Bindings, key
from bai.linter.python.certain_names import CertainNames
from bai.linter.python.horovod_names import FRAMEWORKS
from bai.linter.python.horovod_order import QUESTIONS
from bai.linter.python.rank_conditions import RankConditions
from bai.linter.python.rank_tests import RankTests, Side
from bai.linter.python.results import TrainingStep
from bai.linter.python.syntax_tree import assigned_names, dotted_name, last_name

_BEGINNINGS = frozenset(
    {"broadcast_parameters", "broadcast_optimizer_state", "broadcast_global_variables"}
    | {"broadcast_variables", "BroadcastGlobalVariablesHook", "BroadcastGlobalVariablesCallback"}
)
"""Parts of Horovod that make all ranks begin with the same weights."""
_APART = (
    _BEGINNINGS
    | QUESTIONS
    | frozenset(FRAMEWORKS)
    | {"init", "shutdown", "is_initialized", "barrier", "callbacks", "MetricAverageCallback"}
    | {"LearningRateScheduleCallback", "LearningRateWarmupCallback"}
)
"""Parts of Horovod by which no model learns what the others found in their samples."""
_JOINS = re.compile(
    r"(?i)distribute|nccl|gloo|kvstore|strategy|all_?reduce|all_?gather|reducer|mpi4py|\bmpi\b"
    r"|subprocess|popen|spawn|runpy|importlib|__import__|\bos\.system$|^(?:exec|eval)$"
)
"""Words of code that may join the ranks in another way, or hide what it does."""
_SAMPLER = re.compile(r"(?:data\.)?distributed(?:\.DistributedSampler)?$|DistributedSampler$")
_SAVES = frozenset({"save", "save_weights", "save_model"})
_FITS = frozenset({"fit", "fit_generator", "train_on_batch"})
_APPLIES = frozenset({"minimize", "apply_gradients"})
_RATE = re.compile(r"(?i)(?:\w+_)?(?:lr|learning_rate)|(?:lr|learning_rate)_\w+")
_OPTIMIZER = re.compile(r"(?i)opt|sgd|adam")
_SCHEDULER = re.compile(r"(?i)sched")
_FLAG = re.compile(r"(?!torch)(?:\w+\.)?(?:is_|use_)?distributed")
"""Names of a setting, not of a module: that would be seen where it is imported."""
_CONDITIONS = (ast.If, ast.While, ast.IfExp)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def separate_training(
    nodes: Sequence[ast.AST],
    bound: Bindings,
    horovod: CertainNames,
    ranks: RankConditions,
    tests: RankTests,
) -> TrainingStep | None:
    """Return the first step of a training that every rank makes for itself; None if unsure.

    `nodes` are all nodes of the script, parents before their children.
    """
    steps = training_steps(nodes, bound)
    if (
        not steps
        or not _asks_only(nodes)
        or any(map(_may_join, nodes))
        or not _wants_one_model(nodes, horovod, tests)
        or any(isinstance(node, ast.stmt) and ranks.ends_others(node) for node in nodes)
    ):
        return None
    chosen = _chosen(nodes, ranks)
    if any(id(step) in chosen for step in steps):
        return None
    first = min(steps, key=lambda step: step.lineno)
    by_tape = any(last_name(node) == "GradientTape" for node in nodes)
    return TrainingStep(first.lineno, dotted_name(first.func), by_tape)


def training_steps(nodes: Sequence[ast.AST], bound: Bindings) -> list[ast.Call]:
    """Return the calls that change a model's weights."""
    calls = [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and last_name(node.func.value) != "optimize"  # SciPy's
    ]
    called = {last_name(call.func) for call in calls}
    imported = {
        part
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        for part in (getattr(node, "module", None) or alias.name).split(".")
    }
    wanted: set[str] = set()
    if "backward" in called and "torch" in imported:
        wanted.add("step")
    if not imported.isdisjoint({"keras", "tensorflow"}):
        wanted |= _APPLIES
        if "compile" in called:  # what models of other libraries don't have
            wanted |= _FITS
    # Schedulers, profilers and environments have a `step`, too.
    classes = set(_optimizer_classes(nodes))
    return [
        call
        for call in calls
        if last_name(call.func) in wanted
        and (last_name(call.func) != "step" or _is_of_optimizer(call, bound, classes))
    ]


def _is_of_optimizer(step: ast.Call, bound: Bindings, classes: Collection[str]) -> bool:
    """Return whether a `step` is an optimizer's, by its name or by what it surely is."""
    name = dotted_name(step.func)
    if _SCHEDULER.search(name) or not isinstance(step.func, ast.Attribute):
        return False
    if _OPTIMIZER.search(name):
        return True
    values = bound.get(key(step.func.value), ())
    return bool(values) and all(
        isinstance(value, ast.Call)
        and (
            dotted_name(value.func) in classes
            or dotted_name(value.func).rpartition(".")[0] in {"optim", "torch.optim"}
        )
        for value in values
    )


def _optimizer_classes(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the names of what a script imports from `torch.optim`."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "torch.optim":
            yield from (alias.asname or alias.name for alias in node.names)


def _asks_only(nodes: Sequence[ast.AST]) -> bool:
    """Return whether a script uses nothing of Horovod by which ranks learn from each other."""
    modules: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names = {alias.asname or "horovod": alias.name for alias in node.names}
            modules |= {name for name, path in names.items() if path.startswith("horovod")}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("horovod"):
            if any(alias.name not in _APART for alias in node.names):
                return False
            modules |= {a.asname or a.name for a in node.names if a.name in FRAMEWORKS}
    owners = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            root, *rest = dotted_name(node).split(".")
            if root in modules and not _APART.issuperset(rest):
                return False
        elif isinstance(node, ast.Name) and node.id in modules and id(node) not in owners:
            return False  # handed to something, or bound anew
    return True


def _may_join(node: ast.AST) -> bool:
    """Return whether a node may join the ranks without Horovod, or hide that it does."""
    words: Sequence[str] = ()
    if isinstance(node, ast.Import):
        words = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        words = [f"{node.module or ''}.{alias.name}" for alias in node.names]
    elif isinstance(node, (ast.Name, ast.Attribute)):
        words = [dotted_name(node)]
    is_import = isinstance(node, (ast.Import, ast.ImportFrom))
    return any(
        _JOINS.search(word)
        and not _SAMPLER.search(word)
        and (is_import or not _FLAG.fullmatch(word))
        for word in words
    )


def _wants_one_model(nodes: Sequence[ast.AST], horovod: CertainNames, tests: RankTests) -> bool:
    """Return whether something in a script makes no sense if each rank has a model of its own."""
    for node in nodes:
        if isinstance(node, ast.Call) and last_name(node.func) in _BEGINNINGS:
            return True
        rates = [each for rate in _rates(node) for each in ast.walk(rate)]
        if any(horovod.called(each) == "size" for each in rates):
            return True
    return _only_tests(nodes, tests) and any(
        isinstance(inner, ast.Call) and last_name(inner.func) in _SAVES
        for node in nodes
        if isinstance(node, ast.If) and tests.sides(node.test)[0] is Side.FIRST
        for statement in node.body
        for inner in ast.walk(statement)
    )


def _rates(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the learning rate that a node sets."""
    if isinstance(node, ast.keyword) and node.arg and _RATE.fullmatch(node.arg):
        yield node.value
    elif isinstance(node, ast.Assign):
        if any(map(_RATE.fullmatch, assigned_names(node.targets))):
            yield node.value
    elif isinstance(node, ast.Call) and _OPTIMIZER.search(last_name(node.func)):
        yield from node.args


def _only_tests(nodes: Sequence[ast.AST], tests: RankTests) -> bool:
    """Return whether the rank is only compared, so that no rank has settings of its own."""
    compared: set[int] = set()
    for node in nodes:
        if isinstance(node, ast.Compare):
            compared.update(map(id, (node.left, *node.comparators)))
        elif isinstance(node, _CONDITIONS):
            compared.add(id(node.test))
        elif isinstance(node, ast.UnaryOp):
            compared.add(id(node.operand))
        elif isinstance(node, (ast.Assign, ast.Return)):
            compared.add(id(node.value))
    return all(id(node) in compared for node in nodes if _loads(node) and tests.is_rank(node))


def _loads(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _chosen(nodes: Sequence[ast.AST], ranks: RankConditions) -> set[int]:
    """Return the ids of the nodes that perhaps only some ranks come to."""
    functions: dict[str, list[ast.AST]] = {}
    for node in nodes:
        if isinstance(node, _DEFINITIONS):
            functions.setdefault(node.name, []).append(node)
    todo: list[ast.AST] = [
        node for node in nodes if isinstance(node, _CONDITIONS) and ranks.speaks(node.test)
    ]
    found: set[int] = set()
    while todo:
        for node in ast.walk(todo.pop()):
            if id(node) in found:
                continue
            found.add(id(node))
            if isinstance(node, (ast.Name, ast.Attribute)):
                todo += functions.pop(last_name(node), ())
    return found
