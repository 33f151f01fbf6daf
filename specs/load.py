"""From text to specs: the models' complaints become findings at their places."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from bai.specs.document import Document
from bai.specs.findings import Finding, Path, Severity, Span, by_place
from bai.specs.models.experiment import Experiment
from bai.specs.models.mounts import Mount, mount_path_complaints
from bai.specs.models.shape import fields, mappings, model_at, shape
from bai.specs.source.edits import unquote_number
from bai.specs.syntax.limits import MAX_BYTES
from bai.specs.syntax.reader import read
from bai.specs.validation import messages as mistakes
from bai.specs.validation.examples import form_hint, mount_hint
from bai.specs.validation.indents import wrong_indents
from bai.specs.validation.kinds import is_experiment, not_a_spec, without_names, wrong_kinds
from bai.specs.validation.recovery import mended
from bai.specs.validation.unknown_keys import meant_places

MOST_ERRORS: Final = 1_000
"""Complaints of the models about one spec that are told: each takes time to explain."""
UNREADABLE: Final = "BAI110"
"""The code of the finding for a file that can't be read."""
_ROUNDS: Final = 3
"""How often a spec is mended and read again."""
_MOST_MEANT: Final = 100
"""Unknown keys of a spec that may be misspelt or misplaced."""


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """An experiment with the document it was read from."""

    model: Experiment
    document: Document
    directory: str
    """Absolute path of the folder that relative paths in the spec start from."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The valid specs of a file, and what is wrong with the others."""

    specs: tuple[LoadedSpec, ...]
    findings: tuple[Finding, ...]

    @classmethod
    def joined(cls, results: Sequence[LoadResult]) -> LoadResult:
        """Return what several files hold, in their order."""
        specs = tuple(spec for each in results for spec in each.specs)
        return cls(specs, tuple(finding for each in results for finding in each.findings))


def load_file(path: str | os.PathLike[str]) -> LoadResult:
    """Read the specs of a file. What goes wrong, a missing file too, is a finding."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        span = Span(name, 1, 1, 1, 1)
        finding = Finding(UNREADABLE, Severity.ERROR, f"can't read the file: {reason}", span)
        return LoadResult((), (finding,))
    return load_text(content, name, os.path.dirname(os.path.abspath(name)))  # noqa: PTH100, PTH120


def load_text(text: str | bytes, file: str, directory: str) -> LoadResult:
    """Read the specs of a text.

    Args:
        text: YAML, one document for each experiment.
        file: the name that findings carry.
        directory: absolute path of the folder that relative paths start from.
    """
    documents, findings = read(text, file)
    return load_documents(documents, findings, directory)


def load_documents(
    documents: Sequence[Document],
    findings: Sequence[Finding],
    directory: str,
    *,
    partly: bool = False,
) -> LoadResult:
    """Make the specs of a file's documents.

    Args:
        documents: what was read.
        findings: what was wrong with reading it; they are findings of the result as well.
        directory: absolute path of the folder that relative paths start from.
        partly: whether specs that are not valid count as well, without what is wrong with them,
            where that is clear. They are good for checks, and not for running.
    """
    found = dict.fromkeys(findings)
    unread = {finding.span for finding in findings}
    specs: list[LoadedSpec] = []
    for document in documents:
        loaded = load_document(document, directory, partly=partly)
        specs += loaded.specs
        # What could not be read is wrong for that reason only.
        found |= dict.fromkeys(f for f in loaded.findings if f.span not in unread)
    return LoadResult(tuple(specs), tuple(sorted(found, key=by_place)))


def load_document(document: Document, directory: str, *, partly: bool = False) -> LoadResult:
    """Make a spec of a document, as `load_documents` does."""
    if stranger := not_a_spec(document):
        return LoadResult((), (stranger,))
    kinds = wrong_kinds(document)
    if kinds and not is_experiment(document.data):
        return LoadResult((), tuple(kinds))
    try:
        model = Experiment.model_validate(document.data, by_alias=True, by_name=False)
    except ValidationError as error:
        # What is of the wrong kind is told as that only.
        told = {finding.span for finding in kinds}
        complaints = [found for found in _findings(error, document) if found.span not in told]
        found = dict.fromkeys([*kinds, *complaints])
        findings = sorted(found, key=by_place)
        if not partly:
            return LoadResult((), tuple(findings))
        rest, is_whole = _mended_model(document)
        if not is_whole:
            findings[0] = replace(findings[0], hint=_with_rest(findings[0].hint))
        specs = (LoadedSpec(rest, document, directory),) if rest else ()
        return LoadResult(specs, tuple(findings))
    return LoadResult((LoadedSpec(model, document, directory),), tuple(kinds))


def _mended_model(document: Document) -> tuple[Experiment | None, bool]:
    """Return the experiment that a document means without what is wrong, and whether it is all."""
    data, is_whole = document.data, True
    # What stands behind a misspelt key may be wrong as well.
    for _ in range(_ROUNDS):
        try:
            return Experiment.model_validate(data, by_alias=True, by_name=False), is_whole
        except ValidationError as error:
            details = error.errors(include_url=False)[:MOST_ERRORS]
            wrong = [(_document_path(each["loc"], data), each["type"]) for each in details]
            data, has_all = mended(data, wrong, document)
            is_whole = is_whole and has_all
    return None, False


def _with_rest(hint: str | None) -> str:
    """Return a hint that says that more may be wrong."""
    rest = "The rest is checked once this is mended"
    if not hint:
        return rest
    return f"{hint} {rest}" if hint.endswith((".", "?")) else f"{hint}. {rest}"


def _findings(error: ValidationError, document: Document) -> Iterator[Finding]:
    told, explained = set(), set[Path]()
    for finding, paths in (*without_names(document), *wrong_indents(document)):
        if not explained.issuperset(paths):
            explained.update(paths)
            yield finding
    details = error.errors(include_url=False)[:MOST_ERRORS]
    meant = _meant_keys(details, document)
    for path, wrong, is_told in _key_complaints(document, explained, meant):
        told.add((path, wrong.type))
        if is_told or _is_below(path, explained):
            continue
        yield _complaint(wrong.type, path, wrong.context or {}, document)
    for detail in details:
        path = _document_path(detail["loc"], document.data)
        code, context = detail["type"], detail.get("ctx", {})
        if code == "missing" and path and path[-1] in meant.get(path[:-1], ()):
            # It is there, misspelt or misplaced, which is told at the place where it stands.
            continue
        if _is_below(path, explained):
            continue
        if not code.startswith("BAI"):
            model = model_at(path[:-1])
            found = mistakes.explain(code, path, context, detail, document, model)
        elif (path, code) not in told:
            found = _complaint(code, path, context, document)
        else:
            continue
        yield _with_form(found, path, document)


def _is_below(path: Path, explained: Set[Path]) -> bool:
    """Return whether something at, or around, a path tells already what is wrong there."""
    return any(path[:length] in explained for length in range(1, len(path) + 1))


def _with_form(finding: Finding, path: Path, document: Document) -> Finding:
    """Return the finding of a value, with the form to write it in where it has a wrong one."""
    if finding.code == "BAI203" and finding.hint is None:
        return replace(finding, hint=form_hint(path, document))
    if finding.code == "BAI501" and (hint := mount_hint(path, document)):
        return replace(finding, hint=hint)
    return finding


def _key_complaints(
    document: Document, explained: Set[Path], meant: Mapping[Path, Set[str | int]]
) -> Iterator[tuple[Path, PydanticCustomError, bool]]:
    """Yield what is wrong with which keys there are, and whether another finding tells that.

    The models ask that too, but of mappings only in which all values are right.

    Args:
        document: the spec.
        explained: places whose findings are told already.
        meant: path of a mapping -> keys that unknown keys are meant to be there.
    """
    for path, value, here in mappings(document.data):
        keys = [key for key, inner in value.items() if inner is not None]
        if here.model:
            # What only a misspelt or misplaced key, or its indent, makes wrong is told by that.
            indented = (key for key in fields(here.model) if (*path, key) in explained)
            corrected = {*keys, *meant.get(path, ()), *indented}
            still = {wrong.type for wrong in here.model.key_complaints(corrected)}
            for wrong in here.model.key_complaints(keys):
                yield path, wrong, wrong.type not in still
        elif shape(here.values).model is Mount:
            for wrong in mount_path_complaints(keys):
                yield path, wrong, False


def _meant_keys(details: Sequence[ErrorDetails], document: Document) -> dict[Path, set[str | int]]:
    """Return the keys that unknown keys stand for: path of a mapping -> keys that it would have."""
    unknown = (each for each in details if each["type"] == "extra_forbidden")
    found: dict[Path, set[str | int]] = {}
    for detail in islice(unknown, _MOST_MEANT):
        path = _document_path(detail["loc"], document.data)
        for place in meant_places(path, model_at(path[:-1]), document):
            for depth, key in enumerate(place):
                found.setdefault(place[:depth], set()).add(key)
    return found


def _complaint(code: str, path: Path, context: dict[str, Any], document: Document) -> Finding:
    path = (*path, *context.get("at", ()))
    span = document.key_span(path) if code in _AT_KEY else document.span(path)
    name = f"{path[-1]}: " if path and code == "BAI203" else ""
    message = name + context["message"]
    fix = unquote_number(document, path) if context.get("unquoted") else None
    return Finding(code, Severity.ERROR, message, span, context.get("hint"), fix)


_AT_KEY = frozenset({"BAI502", "BAI503", "BAI701", "BAI702", "BAI305"})
"""Complaints about a key rather than the value behind it."""


def _document_path(loc: tuple[Any, ...], data: Any) -> Path:
    """Return the part of an error's location that exists in the document, and a missing last key.

    The models' locations also name steps that no document has: the full form that a short one
    stands for, and `[key]` for a mapping's key.
    """
    path: list[str | int] = []
    for index, step in enumerate(loc):
        if (isinstance(data, dict) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        ):
            data = data[step]
        elif isinstance(data, dict) and index == len(loc) - 1 and step != "[key]":
            pass
        else:
            break
        path.append(step)
    return tuple(path)
