"""Which values reach which names in a Python script, in whatever scope."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from bai.linter.python.script_model import ScriptModel
from bai.linter.python.syntax_tree import (
    FUNCTIONS,
    assigned_names,
    last_name,
    positional_parameters,
)

Flow = tuple[set[str], ast.expr]
"""Names, and a value that they get."""
_MOST_STEPS = 8
"""Names that pass a value on in longer chains are not followed."""


def flows(model: ScriptModel) -> list[Flow]:
    """Return which values names get: by assignment, `with`, as a function's result or argument."""
    return [*_assignments(model), *_returns(model), *_arguments(model)]


def spread(values: Sequence[Flow], *kinds: tuple[set[str], Callable[[ast.expr], bool]]) -> None:
    """Add to sets of names each name that gets a value of the kind.

    What a value's kind is may depend on the names that were found before.
    """
    for _ in range(_MOST_STEPS):
        before = [len(found) for found, _ in kinds]
        for names, value in values:
            for found, is_of_kind in kinds:
                if not names <= found and is_of_kind(value):
                    found |= names
        if [len(found) for found, _ in kinds] == before:
            return


def _assignments(model: ScriptModel) -> Iterator[Flow]:
    for node in (*model.of(ast.Assign, ast.AugAssign), *model.of(ast.AnnAssign, ast.NamedExpr)):
        names = assigned_names(node)
        if node.value is not None:
            yield names, node.value
        if isinstance(node.value, ast.Lambda):
            yield names, node.value.body
    for item in model.of(ast.withitem):
        if item.optional_vars:
            yield assigned_names(item.optional_vars), item.context_expr
    for call in model.of(ast.Call):
        if last_name(call.func) == "setattr":
            match call.args:
                case [_, ast.Constant(value=str(name)), value]:
                    yield {name}, value


def _returns(model: ScriptModel) -> Iterator[Flow]:
    """Yield the names of functions with the values that they return."""
    for node in model.of(ast.Return):
        if node.value is not None:
            owners = (each.name for each in model.above(node) if isinstance(each, FUNCTIONS))
            yield {next(owners, "")}, node.value


def _arguments(model: ScriptModel) -> Iterator[Flow]:
    """Yield the parameters of the script's functions and classes with their arguments."""
    parameters = _parameters(model)
    for node in model.of(ast.Call):
        function, given = node.func, node.args
        if last_name(function) == "partial" and given:
            function, *given = given
        if (taken := parameters.get(last_name(function))) is not None:
            yield from (({name}, value) for name, value in zip(taken, given, strict=False))
            # What **keywords takes is often kept under the same name.
            yield from (({each.arg}, each.value) for each in node.keywords if each.arg)


def _parameters(model: ScriptModel) -> Mapping[str, Sequence[str]]:
    """Return the parameters of each function and class, in order."""
    found: dict[str, Sequence[str]] = {}
    heirs: list[ast.ClassDef] = []
    for function in model.of(*FUNCTIONS):
        if function.name != "__init__":
            found[function.name] = _of_function(function)
    for node in model.of(ast.ClassDef):
        functions = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        makers = [each for each in functions if each.name == "__init__"]
        annotated = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
        fields = [each.id for each in annotated if isinstance(each, ast.Name)]
        if makers or fields:
            found[node.name] = _of_function(makers[0]) if makers else fields
        else:
            heirs.append(node)
    for node in heirs:
        bases = map(last_name, node.bases)
        found[node.name] = next((found[base] for base in bases if base in found), ())
    return found


def _of_function(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    names = positional_parameters(function)
    return names[1:] if names[:1] in (["self"], ["cls"]) else names
