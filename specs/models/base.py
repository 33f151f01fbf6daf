"""What the models of a spec share: a base, the docstrings below its fields, and short forms.

Pydantic can read docstrings too, but does so for every model at import: a third of the start-up
time. A short form is a bare scalar in place of a mapping.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    StringConstraints,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bai.specs.extensions import PREFIX
from bai.specs.models.scalars import AS_INTEGER, AS_TEXT

NAME_PATTERN = r"^\w[-\w]{0,63}$"
VARIABLE_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*$"
LARGEST_INTEGER = 2**31 - 1
"""Of a 32-bit integer, as all of Batch AI's are."""

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN), AS_TEXT]
"""A resource's name: 1 to 64 letters, digits, `-` and `_`, not `-` first."""

VariableName = Annotated[str, StringConstraints(pattern=VARIABLE_PATTERN), AS_TEXT]
"""A part of an environment variable's name."""

Filled = Annotated[str, StringConstraints(min_length=1), AS_TEXT]
"""A string that is not empty."""

Count = Annotated[int, Field(ge=1, le=LARGEST_INTEGER), AS_INTEGER]
Size = Annotated[int, Field(ge=0, le=LARGEST_INTEGER), AS_INTEGER]


def one_key(*keys: str) -> JsonDict:
    """Return the schema of a mapping that has exactly one of some keys."""
    return {"oneOf": [{"required": [key]} for key in keys]}


class SpecModel(BaseModel):
    """A mapping in a spec: camelCase keys, no unknown ones."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        extra="forbid",
        frozen=True,
        arbitrary_types_allowed=True,
        # Only the outermost model is ever validated by itself; building all costs start-up time.
        defer_build=True,
    )

    # Models with rules of their own state them twice: here for the load, and as
    # `json_schema_extra` for editors.
    @classmethod
    def key_errors(
        cls,
        keys: Collection[str],  # noqa: ARG003 - for the models that have such rules
    ) -> Iterator[PydanticCustomError]:
        """Yield what is wrong with which keys are there, whatever their values are.

        `bai.specs.validation` also asks where a value is wrong, so that one run finds everything.

        Args:
            keys: the keys that have a value, as they are written.
        """
        yield from ()

    @model_validator(mode="after")
    def _fitting_keys(self) -> Self:
        for wrong in self.key_errors(self.given()):
            raise wrong
        return self

    def given(self) -> dict[str, Any]:
        """Return key -> value of the keys that have a value, as they are written."""
        return {
            field.alias or name: value
            for name, field in type(self).model_fields.items()
            if (value := getattr(self, name)) is not None
        }

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Add the fields' docstrings."""
        schema = handler.resolve_ref_schema(handler(core_schema))
        for key, text in field_docstrings(cls).items():
            schema["properties"][key]["description"] = text
        return schema


OWN_KEYS: Final[JsonDict] = {
    "patternProperties": {f"^{PREFIX}": {"description": "A key of your own, for anchors."}}
}
"""The schema of the keys that are no part of the language."""


class DocumentModel(SpecModel):
    """A whole document, of any kind."""

    model_config = ConfigDict(json_schema_extra=OWN_KEYS)

    api_version: Literal["bai/v1"]
    """Version of the language that the file is written in: `bai/v1`."""
    kind: str
    """What the document describes: `Experiment`, `Cluster`, `FileServer` or `Workspace`."""


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


@dataclass(frozen=True, eq=False)
class ShortForm:
    """An annotation: the field may also be written in a shorter way."""

    expand: Callable[[Any], Any]
    """Turns the short form into the full one, and lets everything else pass."""
    schema: dict[str, Any]
    """JSON Schema of the short form."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.expand, handler(source))

    def __get_pydantic_json_schema__(
        self, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"anyOf": [self.schema, handler(core)]}


def short_form(key: str, schema: dict[str, Any]) -> ShortForm:
    """Return an annotation that reads a bare scalar as `{key: scalar}`."""

    def expand(value: Any) -> Any:
        return {key: value} if isinstance(value, (str, int, float)) else value

    return ShortForm(expand, schema)
