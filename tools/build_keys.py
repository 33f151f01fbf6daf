"""Write docs/keys.md: every key of the language, from its models, with an example.

The examples are cut from the specs in specs/examples/, which the tests compile. A key that is in
none of them has no example, and that is an error.

python tools/build_keys.py            write the file
python tools/build_keys.py --check    exit 1 if the file is not current
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bai.specs.explain import ROOTS, Child, explain
from bai.specs.key_examples import example_of
from bai.specs.models.kinds import KINDS
from bai.specs.models.secret_forms import SecretForm
from bai.specs.models.shape import fields, shape

DOCS: Final = Path(__file__).parents[1] / "docs"
FILE: Final = DOCS / "keys.md"
FREE: Final = "NAME"
"""Stands in a path for a name of one's own, that of a job for one."""
SECRET: Final = f"job.secrets.{FREE}"
"""Of all places of a secret reference, the one that its keys are shown at."""
LONGEST: Final = 50
"""Characters of a mapping that is shown though its keys are listed elsewhere."""
DEFAULT: Final = re.compile(r"[;.] (?:[Bb]y default|[Tt]he service's default is) (?P<value>.*)\.$")
CODE_OR_TAG: Final = re.compile(r"`[^`]*`|<")
"""Code, and what begins a tag outside of it."""
HEAD: Final = """\
# Every key

All keys of the language, mapping by mapping; [The language](language.md) has the ideas. `bai
explain job.horovod` shows the same in the terminal, and editors show it where a key is written. A
path such as `job.outputs.NAME` leads to a mapping, with NAME for a name of your own. Where a type
is a link, its keys are there.

The examples are cut from the specs in `specs/examples/`, which the tests compile.

This file is made by `python tools/build_keys.py`.
"""


class MissingExamplesError(Exception):
    """Some keys stand in none of the specs."""


@cache
def sections() -> dict[type[BaseModel], str]:
    """Return model -> the path that its section is called by, in the order of the page."""
    found: dict[type[BaseModel], str] = {}

    def visit(model: type[BaseModel], path: str) -> None:
        found[model] = path
        for key, field in fields(model).items():
            inner, place = _inner(f"{path}.{key}", field)
            elsewhere = inner in ROOTS.values() or (inner is SecretForm and place != SECRET)
            if inner and inner not in found and not elsewhere:
                visit(inner, place)

    for root, model in (*ROOTS.items(), *KINDS.items()):
        if model not in found:
            visit(model, root)
    return found


def base(model: type[BaseModel]) -> type[BaseModel] | None:
    """Return the model with a section of its own that a model adds keys to."""
    return next((each for each in model.__mro__[1:] if each in sections()), None)


def own_keys(model: type[BaseModel]) -> list[str]:
    """Return the keys of a model that stand in its own section."""
    above = base(model)
    return [key for key in fields(model) if not above or key not in fields(above)]


def _inner(path: str, field: FieldInfo) -> tuple[type[BaseModel] | None, str]:
    """Return the model of the mappings in a field, and the path to them."""
    here = shape(field.annotation)
    if here.values is None:
        return _with_own_keys(here.model), path
    return _with_own_keys(shape(here.values).model), f"{path}.{FREE}"


def _with_own_keys(model: type[BaseModel] | None) -> type[BaseModel] | None:
    """Return a model, or the root that it adds no keys to."""
    if model is None:
        return None
    roots = (root for root in ROOTS.values() if issubclass(model, root))
    return next((root for root in roots if fields(root).keys() == fields(model).keys()), model)


def table(model: type[BaseModel], path: str) -> Iterator[str]:
    """Yield the lines of a mapping's table."""
    yield "| key | type | default | meaning | example |"
    yield "|---|---|---|---|---|"
    paths, own = sections(), own_keys(model)
    for child in explain(path).children:
        if child.name not in own:
            continue
        field = fields(model)[child.name]
        inner, _ = _inner(path, field)
        kind = cell(child.type)
        if inner:
            kind = f"[{kind}](#{anchor(paths[inner])})"
        default, text = map(cell, default_of(child, field))
        example = example_of(model, child.name)
        assert example, "build() looks for all of them first"
        is_long = inner and len(example.value) > LONGEST
        shown = "" if is_long else f"`{code(example.value)}`"
        yield f"| `{child.name}` | {kind} | {default} | {text} | {shown} |"


def default_of(child: Child, field: FieldInfo) -> tuple[str, str]:
    """Return what a missing key means, and the rest of the key's description."""
    if child.required:
        return "required", child.description
    if found := DEFAULT.search(child.description):
        return found["value"], f"{child.description[: found.start()]}."
    if field.default not in (None, PydanticUndefined):
        return str(field.default), child.description
    return "none", child.description


def heading(path: str) -> str:
    """Return the heading of a section; those of a document and of a part differ in words."""
    return f"{'###' if '.' in path else '##'} {'kind: ' if path in KINDS else ''}{path}"


def anchor(heading: str) -> str:
    """Return the name by which GitHub links to a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def code(text: str) -> str:
    """Return a piece of code as it stands between backticks in a table."""
    return text.replace("|", r"\|")


def cell(text: str) -> str:
    """Return a text as it stands in a table."""
    return CODE_OR_TAG.sub(lambda found: r"\<" if found[0] == "<" else found[0], code(text))


def build() -> str:
    """Return the text of the file.

    Raises:
        MissingExamplesError: keys have no example.
    """
    lines = [HEAD]
    missing = [
        f"{path}.{key}"
        for model, path in sections().items()
        for key in own_keys(model)
        if example_of(model, key) is None
    ]
    if missing:
        raise MissingExamplesError(
            f"no example of {', '.join(missing)}: add it to a spec in specs/examples/, jobs.yaml "
            "for one, and run python tools/build_keys.py"
        )
    for model, path in sections().items():
        text = explain(path).description
        if above := base(model):
            other = sections()[above]
            text += f" Its other keys are those of [{other}](#{anchor(other)})."
        lines += [f"{heading(path)}\n", f"{text}\n", *table(model, path), ""]
    return "\n".join(lines)


def main() -> int:
    """Write or check the file."""
    try:
        text = build()
    except MissingExamplesError as error:
        print(error)
        return 1
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, "utf-8")
    elif not FILE.exists() or FILE.read_text("utf-8") != text:
        print(f"{FILE} is not current: run python tools/build_keys.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
