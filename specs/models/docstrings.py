"""The docstrings below fields.

Pydantic can read them too, but does so for every model at import: a third of the start-up time.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache

from pydantic import BaseModel


@cache
def field_docstrings(model: type[BaseModel]) -> dict[str, str]:
    """Return key -> docstring, on one line, of the fields that a model has or inherits."""
    found: dict[str, str] = {}
    for owner in reversed(model.__mro__):
        if owner is not BaseModel and issubclass(owner, BaseModel):
            found |= _own(owner)
    fields = model.model_fields.items()
    return {field.alias or name: found[name] for name, field in fields if name in found}


def _own(model: type[BaseModel]) -> dict[str, str]:
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(model))).body
    assert isinstance(tree, ast.ClassDef)
    found = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.split())
    return found
