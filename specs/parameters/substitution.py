"""Values in place of `${parameters.NAME}`, in any part of a spec's data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args, get_origin

from bai.specs.findings import Path
from bai.specs.models.base import SpecModel
from bai.specs.models.machines import Scale
from bai.specs.models.mounts import Mount
from bai.specs.models.secret_forms import SecretForm
from bai.specs.models.shape import annotation_at, bare, fields, model_at, shape
from bai.specs.parameters.references import Reference, references
from bai.specs.parameters.shell_places import places, quoted
from bai.specs.parameters.values import Value
from bai.specs.source.plain_scalar import Plain

_COMMAND_LINES: Final = frozenset(
    ("args", "command", "masterArgs", "parameterServerArgs", "preparation", "workerArgs")
)
"""Keys of the language whose text a shell reads."""
_COMMAND_MOUNT: Final = "command:"


@dataclass(slots=True)
class Substituted:
    """A part of a spec's data with values in it, and what its references are."""

    data: Any
    """The part; what has no references in it is shared with what was given."""
    substitutes: dict[Path, tuple[str, ...]] = field(default_factory=dict)
    """As in `Document`."""
    unsure: dict[Path, Sequence[str]] = field(default_factory=dict)
    """Path of a scalar that is not known -> the parameters without a value that it names.

    A shell line with a reference to nothing is known as far as it goes.
    """
    has_sure_counts: bool = True
    """Whether all numbers of things are known."""
    used: set[str] = field(default_factory=set)
    """The parameters that the references name."""
    wrong: list[tuple[Path, str, Reference]] = field(default_factory=list)
    """(path, text there, reference) of those that name no parameter."""

    def add(self, other: Substituted) -> None:
        """Add what the references of another part of the same spec are."""
        self.substitutes |= other.substitutes
        self.unsure |= other.unsure
        self.used |= other.used
        self.has_sure_counts = self.has_sure_counts and other.has_sure_counts
        self.wrong += other.wrong


def substitute(
    data: Any, path: Path, values: Mapping[str, Value], root: type[SpecModel]
) -> Substituted:
    """Put values in place of the references in a part of a spec.

    A scalar that is nothing but a reference becomes the value; in longer texts the value is a part
    of the text, and in shell lines it is quoted for its place. What names no parameter stays.

    Args:
        data: the data of the part; it stays as it is.
        path: of the part, in its spec.
        values: the values by the parameters' names.
        root: the model of the whole document.
    """
    found = Substituted(data)
    found.data = _Substitution(values, root, found).walk(data, path)
    return found


@dataclass(frozen=True, slots=True)
class _Substitution:
    """Puts values into data, and collects what its references are."""

    values: Mapping[str, Value]
    root: type[SpecModel]
    found: Substituted

    def walk(self, data: Any, path: Path) -> Any:
        """Return data with values in it."""
        if isinstance(data, dict):
            return {key: self.walk(each, (*path, key)) for key, each in data.items()}
        if isinstance(data, list):
            return [self.walk(each, (*path, index)) for index, each in enumerate(data)]
        if isinstance(data, str) and (named := references(data)):
            return self._filled(data, path, named)
        return data

    def _filled(self, text: str, path: Path, named: Sequence[Reference]) -> str:
        """Return a text with values in it."""
        found, values = self.found, self.values
        right = [each for each in named if each.is_right and each.name in values]
        found.wrong += ((path, text, each) for each in named if each not in right)
        found.used.update(each.name for each in right)
        is_line = is_shell_line(path, text, self.root)
        unknown = [each.name for each in right if not values[each.name].is_known]
        if unknown or (len(right) < len(named) and not is_line):
            found.unsure[path] = unknown
        if not right:
            return text
        if len(named) == 1 and (right[0].start, right[0].end) == (0, len(text)):
            value = values[right[0].name]
            scalar = value.scalar if value.is_known else self._stand_in(path, value.scalar)
            found.substitutes[path] = (str(scalar),)
            return scalar
        put_in: list[str] = []
        parts: list[str] = []
        at = 0
        substitutes = self._texts(text, named, is_line=is_line)
        for reference, substitute in zip(named, substitutes, strict=True):
            parts += (text[at : reference.start], substitute)
            at = reference.end
            if reference.is_right:
                put_in.append(substitute)
        found.substitutes[path] = tuple(put_in)
        return "".join(parts) + text[at:]

    def _texts(self, text: str, named: Sequence[Reference], *, is_line: bool) -> list[str]:
        """Return what stands in place of each reference; one that names no parameter stays."""
        known = [self.values.get(each.name) if each.is_right else None for each in named]
        scalars = [value and str(value.scalar) for value in known]
        if is_line:
            around = places(text, [(each.start, each.end) for each in named])
            scalars = [
                None if scalar is None else quoted(scalar, place)
                for scalar, place in zip(scalars, around, strict=True)
            ]
        return [
            text[each.start : each.end] if scalar is None else scalar
            for each, scalar in zip(named, scalars, strict=True)
        ]

    def _stand_in(self, path: Path, scalar: str) -> str:
        """Return what can stand at a path in place of a value that is not known, if it is clear."""
        annotation = annotation_at(path, self.root)
        kind, model = bare(annotation), shape(annotation).model
        if get_origin(kind) is Literal:
            return Plain(get_args(kind)[0])
        if kind is int or int in get_args(kind) or model is Scale:
            self.found.has_sure_counts = False
            return scalar if isinstance(scalar, Plain) and scalar.isdecimal() else Plain("1")
        if model is Mount:
            return Plain("command:mount")
        return Plain("env:VALUE") if model is SecretForm else scalar


def is_shell_line(path: Path, text: str, root: type[SpecModel]) -> bool:
    """Return whether a shell reads the text at a path of a document as a command line."""
    if path[-1] in _COMMAND_LINES:
        model = model_at(path[:-1], root)
        return model is not None and path[-1] in fields(model)
    return text.startswith(_COMMAND_MOUNT) and shape(annotation_at(path, root)).model is Mount
