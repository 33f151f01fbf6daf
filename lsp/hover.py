"""Documentation for the place under a cursor."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bai.compiler.batchai import vm_sizes
from bai.compiler.batchai.variables import CLUSTER_ROOT, GROUPS, JOB_ROOT, describe
from bai.lsp.declarations import PARAMETERS, Reference, own_mounts, owner, reference_at
from bai.lsp.language import Language
from bai.lsp.outline import Outline, Scalar
from bai.lsp.text import Position, Range
from bai.schemas.fields import Field
from bai.specs.findings import Path
from bai.specs.words import counted

_CODE = re.compile(r"\bBAI\d{3}\b")


@dataclass(frozen=True, slots=True)
class Hover:
    """A text in Markdown, and what it is about."""

    text: str
    range: Range


def hover(outline: Outline, language: Language, line: str, position: Position) -> Hover | None:
    """Return the documentation for the place under a cursor.

    Args:
        outline: of the document.
        language: of the document.
        line: the text of the cursor's line.
        position: of the cursor.
    """
    if key := outline.key_at(position):
        field = language.grammar.field(key.path)
        return Hover(_field(field), key.range) if field else None
    if scalar := outline.scalar_at(position):
        if reference := reference_at(scalar, position):
            text = _reference(outline, language, scalar.path, reference)
            return Hover(text, reference.range) if text else None
        return _value(language, scalar)
    return _code(line, position)


def _field(field: Field) -> str:
    needed = ", required" if field.required else ""
    if field.alternative:
        needed = ", required unless another key takes its place"
    return f"**{field.name}**: {field.type}{needed}\n\n{field.description}"


def _value(language: Language, scalar: Scalar) -> Hover | None:
    if scalar.path[-1:] == ("vmSize",) and (size := vm_sizes.find(scalar.text)):
        return Hover(f"**{size.name}**\n\n{describe_size(size)}", scalar.range)
    # A line of a list is about the list.
    steps = [step for step in scalar.path if isinstance(step, str)]
    path: Path = scalar.path
    if steps and isinstance(path[-1], int):
        path = path[:-1]
    field = language.grammar.field(path)
    return Hover(_field(field), scalar.range) if field else None


def describe_size(size: vm_sizes.VmSize) -> str:
    """Return what a virtual machine has: `6 cores, 56 GiB, 1 NVIDIA Tesla K80`."""
    gpus = f", {size.gpus} {size.gpu_model}" if size.gpus else ""
    rdma = ", InfiniBand" if size.rdma else ""
    return f"{counted(size.cores, 'core')}, {size.memory:g} GiB{gpus}{rdma}"


def _reference(
    outline: Outline, language: Language, path: Path, reference: Reference
) -> str | None:
    if reference.variable:
        described = describe(reference.variable)
        return f"**${reference.variable}**\n\n{described}" if described else None
    if language.kind is not None:
        # Short references are the specs' own.
        return None
    if reference.group == "parameters":
        return _parameter(outline, reference.name)
    if reference.group.endswith("mounts"):
        in_job = owner(outline, path)[:2] == ("spec", "jobs")
        is_own = in_job and reference.name in own_mounts(outline, path)
        is_own = is_own and reference.group != "cluster.mounts"
        root = JOB_ROOT if is_own else CLUSTER_ROOT
        return f"`${root}/{reference.name}`\n\nWhere the mount {reference.name} is."
    variable = GROUPS[reference.group] + reference.name
    return f"`${variable}`\n\n{describe(variable)}"


def _parameter(outline: Outline, name: str) -> str | None:
    """Return what a spec says of a parameter; None if it has none of that name."""
    path = (*PARAMETERS, name)
    if name not in outline.keys_of(PARAMETERS):
        return None
    default = outline.text_at(path) or outline.text_at((*path, "default"))
    about = outline.text_at((*path, "description"))
    value = f"By default `{default}`." if default else "It has no default."
    return "\n\n".join([f"**{name}**: parameter", *([about] if about else []), value])


def _code(line: str, position: Position) -> Hover | None:
    """Return the documentation of a finding's code in a comment."""
    for found in _CODE.finditer(line):
        where = Range.on_line(position.line, *found.span())
        if position in where:
            # Reading all pages takes a while, and few comments have a code.
            from bai.linter.pages.catalogue import catalogue

            if entry := catalogue().get(found[0]):
                code, page, _ = entry
                return Hover(f"**{code.code}**: {code.title}\n\n{page.why}", where)
    return None
