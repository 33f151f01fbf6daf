"""Which calls of a Python script change the weights of a model."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import dotted_name, last_name

_FITS = frozenset({"fit", "fit_generator", "train_on_batch"})
_APPLIES = frozenset({"minimize", "apply_gradients"})
OPTIMIZER = re.compile(r"(?i)opt|sgd|adam")
_SCHEDULER = re.compile(r"(?i)sched")


def training_steps(model: ScriptModel) -> list[ast.Call]:
    """Return the calls that make a step of a training, or all of it."""
    imported = {
        part for each in model.imports for part in (each.module or str(each.name)).split(".")
    }
    calls = [
        node
        for node in model.of(ast.Call)
        if isinstance(node.func, ast.Attribute)
        and last_name(node.func.value) != "optimize"  # SciPy's
    ]
    called = {last_name(call.func) for call in calls}
    wanted: set[str] = set()
    if "backward" in called and "torch" in imported:
        wanted.add("step")
    if not imported.isdisjoint({"keras", "tensorflow"}):
        wanted |= _APPLIES
        if "compile" in called:  # models of other libraries have no such method
            wanted |= _FITS
    # Schedulers, profilers and environments have a `step`, too.
    classes = {each.bound for each in model.imports if each.module == "torch.optim" and each.name}
    return [
        call
        for call in calls
        if last_name(call.func) in wanted
        and (last_name(call.func) != "step" or _is_of_optimizer(call, model, classes))
    ]


def _is_of_optimizer(step: ast.Call, model: ScriptModel, classes: Collection[str]) -> bool:
    """Return whether a `step` is an optimizer's, by its name or by what it certainly is."""
    name = dotted_name(step.func)
    if _SCHEDULER.search(name) or not isinstance(step.func, ast.Attribute):
        return False
    if OPTIMIZER.search(name):
        return True
    values = model.values(step.func.value)
    return bool(values) and all(
        isinstance(value, ast.Call)
        and (
            dotted_name(value.func) in classes
            or dotted_name(value.func).rpartition(".")[0] in {"optim", "torch.optim"}
        )
        for value in values
    )
