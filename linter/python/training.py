"""Whether each process of a Horovod script trains a model of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from bai.linter.python.horovod_api import FRAMEWORKS, INITIAL_BROADCASTS, QUERIES
from bai.linter.python.horovod_script import HorovodScript
from bai.linter.python.rank_tests import Side
from bai.linter.python.results import TrainingStep, Use
from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import (
    TRIES,
    assigned_names,
    called_names,
    calls_within,
    dotted_name,
    last_name,
)

_APART = (
    INITIAL_BROADCASTS
    | QUERIES
    | FRAMEWORKS
    | {"init", "shutdown", "is_initialized", "barrier", "callbacks", "MetricAverageCallback"}
    | {"LearningRateScheduleCallback", "LearningRateWarmupCallback"}
)
"""Parts of Horovod by which no model learns from the samples of other ranks."""
_JOINS = re.compile(
    r"(?i)distribute|nccl|gloo|kvstore|strategy|all_?reduce|all_?gather|reducer|mpi4py|\bmpi\b"
    r"|subprocess|popen|spawn|runpy|importlib|__import__|\bos\.system$|^(?:exec|eval)$"
)
"""Words of code that may join the ranks in another way, or hide what it does."""
_SAMPLER = re.compile(r"(?:data\.)?distributed(?:\.DistributedSampler)?$|DistributedSampler$")
_SAVES = frozenset({"save", "save_weights", "save_model"})
_RATE = re.compile(r"(?i)(?:\w+_)?(?:lr|learning_rate)|(?:lr|learning_rate)_\w+")
_FLAG = re.compile(r"(?!torch)(?:\w+\.)?(?:is_|use_)?distributed")
"""Names of a setting, not of a module: that would be seen where it is imported."""
_FITS = frozenset({"fit", "fit_generator", "train_on_batch"})
_APPLIES = frozenset({"minimize", "apply_gradients"})
_OPTIMIZER = re.compile(r"(?i)opt|sgd|adam")
_SCHEDULER = re.compile(r"(?i)sched")
_WRAPPERS = frozenset({"DistributedOptimizer", "DistributedGradientTape"})
_READS_ANY = frozenset({"globals", "locals", "vars", "eval", "exec"})
"""Names by which a script may read a name that it does not write."""


def separate_training(script: HorovodScript) -> Iterator[TrainingStep]:
    """Yield the steps of a training that every rank makes for itself, if that is certain.

    It is for a script that asks Horovod for nothing but ranks and sizes, trains on all ranks, and
    shows that one model is wanted: it broadcasts the first weights, has a learning rate for the
    number of processes, or saves on the first rank alone. A search that tries other settings on
    each rank does none of these.
    """
    steps = _training_steps(script)
    if not steps or not _asks_only(script) or _may_join(script):
        return
    if not _wants_one_model(script) or script.guards.any_leave:
        return
    leading = script.leading_to(steps)
    conditions = script.of(ast.If, ast.While, ast.IfExp)
    if any(id(each) in leading and script.guards.mentions_rank(each.test) for each in conditions):
        return  # perhaps only some ranks come to the steps
    by_tape = any(last_name(node) == "GradientTape" for node in script.of(ast.Name, ast.Attribute))
    for step in steps:
        yield TrainingStep(step.lineno, dotted_name(step.func), by_tape)


def dropped_wrappers(script: HorovodScript) -> Iterator[Use]:
    """Yield the calls that wrap an optimizer or a tape for Horovod, and whose result nothing uses.

    They return a new object and do not change their argument. A name that nothing reads counts only
    in a script that trains: the rest may be elsewhere.
    """
    # Tests contain calls that are meant to fail.
    expected = script.within([*script.of(ast.With, ast.AsyncWith), *script.of(*TRIES)])
    wrapping = [
        (node, node.value)
        for node in script.of(ast.Expr, ast.Assign)
        if isinstance(node.value, ast.Call)
        and script.called(node.value) in _WRAPPERS
        and id(node) not in expected
    ]
    read = {each.id for each in script.of(ast.Name) if isinstance(each.ctx, ast.Load)}
    read.update(name for each in script.of(ast.Global) for name in each.names)
    is_whole = bool(wrapping and _READS_ANY.isdisjoint(read) and _training_steps(script))
    for node, call in wrapping:
        targets = node.targets if isinstance(node, ast.Assign) else ()
        is_unread = all(isinstance(each, ast.Name) and each.id not in read for each in targets)
        if not targets or (is_whole and is_unread):
            yield Use(call.lineno, dotted_name(call.func))


def _training_steps(script: ScriptModel) -> list[ast.Call]:
    """Return the calls that make a step of a training, or all of it."""
    imported = {
        part for each in script.imports for part in (each.module or str(each.name)).split(".")
    }
    calls = [
        call
        for call in script.of(ast.Call)
        if isinstance(call.func, ast.Attribute)
        and last_name(call.func.value) != "optimize"  # SciPy's
    ]
    called = {last_name(call.func) for call in calls}
    wanted: set[str] = set()
    if "backward" in called and "torch" in imported:
        wanted.add("step")
    if not imported.isdisjoint({"keras", "tensorflow"}):
        wanted |= _APPLIES
        if "compile" in called:  # models of other libraries have no such method
            wanted |= _FITS
    steps = [call for call in calls if last_name(call.func) in wanted]
    # Schedulers, profilers and environments have a `step`, too.
    classes = {each.bound for each in script.imports if each.module == "torch.optim" and each.name}
    return [
        step
        for step in steps
        if last_name(step.func) != "step" or _is_of_optimizer(step, script, classes)
    ]


def _is_of_optimizer(step: ast.Call, script: ScriptModel, classes: Collection[str]) -> bool:
    """Return whether a `step` is an optimizer's, by its name or by what it certainly is."""
    name = dotted_name(step.func)
    if _SCHEDULER.search(name) or not isinstance(step.func, ast.Attribute):
        return False
    if _OPTIMIZER.search(name):
        return True
    values = script.values(step.func.value)
    makers = [dotted_name(value.func) for value in values if isinstance(value, ast.Call)]
    return 0 < len(makers) == len(values) and all(
        name in classes or name.rpartition(".")[0] in {"optim", "torch.optim"} for name in makers
    )


def _asks_only(model: ScriptModel) -> bool:
    """Return whether a script uses nothing of Horovod by which ranks learn from each other."""
    modules: set[str] = set()
    for each in model.imports:
        if each.path[:1] != ["horovod"]:
            continue
        if each.name is None:
            modules.add(each.alias.asname or "horovod")
        elif each.name not in _APART:
            return False
        elif each.name in FRAMEWORKS:
            modules.add(each.bound)
    attributes = model.of(ast.Attribute)
    for node in attributes:
        root, *rest = dotted_name(node).split(".")
        if root in modules and not _APART.issuperset(rest):
            return False
    owners = {id(node.value) for node in attributes}
    # Without an attribute it is handed to something, or bound anew.
    return all(id(node) in owners for node in model.of(ast.Name) if node.id in modules)


def _may_join(model: ScriptModel) -> bool:
    """Return whether a script may join the ranks without Horovod, or hide that it does."""
    imported = [each.module + (f".{each.name}" if each.name else "") for each in model.imports]
    names = {dotted_name(node) for node in model.of(ast.Name, ast.Attribute)}
    words = [*imported, *(name for name in names if not _FLAG.fullmatch(name))]
    return any(_JOINS.search(word) and not _SAMPLER.search(word) for word in words)


def _wants_one_model(script: HorovodScript) -> bool:
    """Return whether something in a script makes no sense if each rank has a model of its own."""
    if any(last_name(call.func) in INITIAL_BROADCASTS for call in script.of(ast.Call)):
        return True
    rates = (call for rate in _rates(script) for call in calls_within([rate]))
    if any(script.called(call) == "size" for call in rates):
        return True
    sides = script.tests.sides
    on_first = (node.body for node in script.of(ast.If) if sides(node.test)[0] is Side.FIRST)
    return _only_tests(script) and any(_SAVES & called_names(body) for body in on_first)


def _rates(model: ScriptModel) -> Iterator[ast.expr]:
    """Yield the learning rates that a script sets."""
    for keyword in model.of(ast.keyword):
        if keyword.arg and _RATE.fullmatch(keyword.arg):
            yield keyword.value
    for node in model.of(ast.Assign):
        if any(map(_RATE.fullmatch, assigned_names(node))):
            yield node.value
    for call in model.of(ast.Call):
        if _OPTIMIZER.search(last_name(call.func)):
            yield from call.args


def _only_tests(script: HorovodScript) -> bool:
    """Return whether the rank is only compared, so that no rank has settings of its own."""
    compared = [each for node in script.of(ast.Compare) for each in (node.left, *node.comparators)]
    compared += [node.test for node in script.of(ast.If, ast.While, ast.IfExp)]
    compared += [node.operand for node in script.of(ast.UnaryOp)]
    compared += [node.value for node in script.of(ast.Assign, ast.Return) if node.value]
    allowed = set(map(id, compared))
    return all(
        id(node) in allowed
        for node in script.nodes
        if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and script.tests.is_rank(node)
    )
