"""Write api/spec.py, the classes of `bai.spec`, from the models of the language.

python tools/build_spec.py            write the file
python tools/build_spec.py --check    exit 1 if the file is not current
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import textwrap
import types
import typing
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from pydantic import StringConstraints
from pydantic.fields import FieldInfo

from bai.spec_parts import attributes
from bai.specs.models.base import DocumentModel, ShortForm, SpecModel, field_docstrings
from bai.specs.models.commands import is_line
from bai.specs.models.kinds import KINDS
from bai.specs.models.machines import Scale
from bai.specs.models.parameters import Parameter
from bai.specs.models.scalars import AS_SCALAR
from bai.specs.models.secret_forms import KeyVaultSecret, SecretForm
from bai.specs.models.shape import bare, shape
from bai.specs.models.sweep import Dimension

FILE: Final = Path(__file__).parents[1] / "api/spec.py"
WIDTH: Final = 96
NAMES: Final = {
    "ExperimentMetadata": "Metadata",
    "WorkspaceDocument": "Workspace",
    "SecretForm": "Secret",
    "Dimension": "Range",
}
"""Model -> the class that is written in its place, where that has another name."""
SHORT_FORMS: Final = {
    Scale: "int | Reference",
    Parameter: "Scalar",
    Dimension: "Sequence[Scalar]",
}
"""Model -> what may be written in its place; otherwise that is a str."""
HEAD: Final = '''\
"""Specs in Python: the language with types, a class for each mapping of a spec.

Example::

    import bai
    from bai import spec

    hello = spec.Experiment(
        metadata=spec.Metadata(name="hello"),
        jobs={"hello": spec.Job(code=".", custom=spec.Custom(command="python hello.py"))},
    )
    print(hello.to_yaml())
    bai.load(hello).apply()

`spec.Experiment.read` makes an experiment of a file. What it says can be changed: a class has the
keys of YAML as attributes, in snake_case. `bai.load` finds in it what it finds in a file.

This file is made by `python tools/build_spec.py` from the models in `bai.specs.models`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from bai.spec_documents import Document
from bai.spec_parts import Part, Scalar, Table
from bai.spec_values import Reference, parameter
'''


def models() -> list[type[SpecModel]]:
    """Return the models with a class of their own, in the order of the file."""
    found: dict[type[SpecModel], None] = {}

    def visit(model: type[SpecModel]) -> None:
        found[model] = None
        for field in attributes(model).values():
            here = shape(field.annotation)
            inner = here.model or shape(here.values).model
            if inner and inner not in found:
                visit(inner)

    for model in (*KINDS.values(), KeyVaultSecret):
        if model not in found:
            visit(model)
    return list(found)


def name_of(model: type[SpecModel]) -> str:
    """Return the name of a model's class."""
    return NAMES.get(model.__name__, model.__name__)


def build() -> str:
    """Return the text of the file."""
    lines = [HEAD.rstrip()]
    lines += [f"from {m.__module__} import {m.__name__} as _{m.__name__}" for m in models()]
    names = ["Document", "Part", "Reference", "Scalar", "Table", "parameter"]
    names += map(name_of, models())
    lines += ["", f"__all__ = {sorted(names)}", ""]
    for model in models():
        base = "Document" if issubclass(model, DocumentModel) else "Part"
        lines += ["", f"class {name_of(model)}({base}, model=_{model.__name__}):"]
        first, *more = inspect.cleandoc(model.__doc__ or "").splitlines()
        # As the model has it: a line, and perhaps paragraphs.
        text = [f'"""{first}', *more, '"""'] if more else [f'"""{first}"""']
        lines += [*(f"    {line}".rstrip() for line in text), ""]
        lines += keys(model)
    text = "\n".join(lines)
    for command in (["check", "--fix-only", "--select", "I", "-"], ["format", "-"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--stdin-filename", str(FILE)]
        text = subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout
    return text


def keys(model: type[SpecModel]) -> Iterator[str]:
    """Yield the lines of the attributes of a class."""
    fields = attributes(model)
    texts = field_docstrings(model)
    if spec := model.model_fields.get("spec"):
        texts = {**field_docstrings(shape(spec.annotation).model), **texts}
    for name, field in fields.items():
        yield f"    {name}: {declaration(model, field)}"
        yield from docstring(texts[field.alias or name])


def declaration(model: type[SpecModel], field: FieldInfo) -> str:
    """Return the type of an attribute, with its default."""
    annotation = field.annotation
    if field.default_factory is dict:
        return f"Table[{item(shape(annotation).values)}] = Table()"
    found = words(annotation, field.metadata)
    if model is Parameter:
        # Nothing in a parameter refers to another one.
        found = found.removesuffix(" | Reference")
    if field.is_required():
        return found
    optional = " | None" if type(None) in typing.get_args(annotation) else ""
    return f"{found}{optional} = {field.default!r}"


def words(annotation: Any, more: Iterable[Any] = ()) -> str:
    """Return what may be given for an attribute, without None.

    Args:
        annotation: the model's.
        more: what is annotated to it beside.
    """
    about = [*metadata(annotation), *more]
    here, kind = shape(annotation), bare(annotation)
    if here.model is SecretForm:
        return f"str | {name_of(SecretForm)}"
    if here.model:
        has_short_form = any(isinstance(each, ShortForm) for each in about)
        short = f"{SHORT_FORMS.get(here.model, 'str')} | " if has_short_form else ""
        return f"{short}{name_of(here.model)}"
    if here.values is not None:
        return f"Mapping[str, {item(here.values)}]"
    if is_line(kind):
        return "str | Sequence[Scalar]"
    if typing.get_origin(kind) is list:
        return f"Sequence[{item(typing.get_args(kind)[0])}]"
    if kind is str:
        return "Scalar" if AS_SCALAR in about else "str"
    parts = typing.get_args(kind) if int in typing.get_args(kind) else (kind,)
    return " | ".join([*map(simple, parts), "Reference"])


def simple(kind: Any) -> str:
    """Return a type without parts."""
    if typing.get_origin(kind) is typing.Literal:
        return f"Literal[{', '.join(map(json.dumps, typing.get_args(kind)))}]"
    return str(kind.__name__)


def item(annotation: Any) -> str:
    """Return what may be given for an item of a list or a mapping."""
    if bare(annotation) is str:
        about = metadata(annotation)
        return "str" if any(isinstance(each, StringConstraints) for each in about) else "Scalar"
    return words(annotation)


def metadata(annotation: Any) -> tuple[Any, ...]:
    """Return what is annotated to a type, also to one of `| None`."""
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        return tuple(each for part in typing.get_args(annotation) for each in metadata(part))
    return getattr(annotation, "__metadata__", ())


def docstring(text: str) -> list[str]:
    """Return the lines of a docstring in a class."""
    text = " ".join(text.split())
    lines = textwrap.wrap(f'"""{text}', WIDTH, break_on_hyphens=False, break_long_words=False)
    if len(lines) == 1 and len(lines[0]) <= WIDTH - 3:
        return [f'    {lines[0]}"""']
    return [*(f"    {line}" for line in lines), '    """']


def main() -> int:
    """Write or check the file."""
    text = build()
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, "utf-8")
    elif not FILE.exists() or FILE.read_text("utf-8") != text:
        print(f"{FILE} is not current: run python tools/build_spec.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
