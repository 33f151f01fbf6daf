"""Words for the mistakes that pydantic finds by itself: unknown keys, missing keys, wrong types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from bai.specs.document import Document
from bai.specs.edits import rename_key
from bai.specs.findings import Finding, Fix, Path, Severity
from bai.specs.models import base
from bai.specs.models.docstrings import field_docstrings
from bai.specs.models.experiment import ExperimentSpec
from bai.specs.names import evident, nearest, suggestion
from bai.specs.plain import kind_of
from bai.specs.secret_places import is_secret_place
from bai.specs.walk import ANY, fields, homes, model_at

API_VERSION = "bai/v1"
KIND = "Experiment"
_KUBERNETES = r"(?:[-.\w]+/)?v[0-9]+(?:(?:alpha|beta)[0-9]+)?"
"""An apiVersion of Kubernetes: `v1`, `apps/v1`, `example.org/v1beta1`."""

PATTERNS = {
    base.NAME_PATTERN: ("name", "1 to 64 letters, digits, `-` and `_`"),
    base.VARIABLE_PATTERN: ("name of a variable", "letters, digits and `_`, not a digit first"),
}
"""Pattern of a field -> what its values are called, and the rule in words."""

BATCH_AI_KEYS = {
    "stdOutErrPathPrefix": "logs",
    "jobPreparation": "preparation",
    "environmentVariables": "environment",
    "inputDirectories": "inputs",
    "outputDirectories": "outputs",
    "mountVolumes": "mounts",
    "containerSettings": "container",
    "schedulingPriority": "priority",
    "constraints": "timeLimit",
    "maxWallClockTime": "timeLimit",
    "horovodSettings": "horovod",
    "pyTorchSettings": "pyTorch",
    "tensorFlowSettings": "tensorFlow",
    "customMpiSettings": "customMpi",
    "customToolkitSettings": "custom",
    "caffeSettings": "caffe",
    "caffe2Settings": "caffe2",
    "chainerSettings": "chainer",
    "cntkSettings": "cntk",
    "pythonScriptFilePath": "script",
    "pythonInterpreterPath": "python",
    "commandLineArgs": "args",
    "commandLine": "command",
    "communicationBackend": "backend",
    "scaleSettings": "scale",
    "userAccountSettings": "user",
    "virtualMachineConfiguration": "image",
    "nodeSetup": "setupTask",
    "targetNodeCount": "scale",
    "dataDisks": "disks",
    "env": "environment",
    "nodes": "nodeCount",
    "volumes": "mounts",
    "image": "container",
}
"""Key of Batch AI's files or of a neighbouring tool -> key of the language."""

SAME_VALUES = frozenset(
    (
        "schedulingPriority",
        "horovodSettings",
        "pyTorchSettings",
        "tensorFlowSettings",
        "customMpiSettings",
        "customToolkitSettings",
        "caffeSettings",
        "caffe2Settings",
        "chainerSettings",
        "cntkSettings",
        "pythonScriptFilePath",
        "pythonInterpreterPath",
        "commandLineArgs",
        "commandLine",
        "communicationBackend",
        "env",
        "nodes",
    )
)
"""Those of BATCH_AI_KEYS whose value is written alike, so that they need only another name."""


def not_a_spec(document: Document) -> Finding | None:
    """Return what is wrong with a document that is no experiment at all, or None."""
    data = document.data
    if not isinstance(data, dict):
        message = f"expected apiVersion, kind, metadata and spec, found {kind_of(data)}"
        hint = "write a space behind each colon" if isinstance(data, str) and ":" in data else None
        return _error("BAI205", message, document, (), hint)
    if "properties" in data and "spec" not in data:
        message = "this is a file for Batch AI, not a spec"
        return _error("BAI205", message, document, (), "turn it into a spec with `bai import`")
    return None


def wrong_kinds(document: Document) -> tuple[Finding, ...]:
    """Return what is wrong with the kind and the apiVersion of a mapping.

    Of a document that is no experiment by its spec either, that is all there is to say.
    """
    data = document.data
    kind, version = data.get("kind", KIND), data.get("apiVersion", API_VERSION)
    if is_foreign(data):
        return (_for_another_tool(document),)
    found = []
    if kind != KIND:
        message = f"there is no kind {kind!r}" if isinstance(kind, str) else "kind is no string"
        found.append(_error("BAI205", message, document, ("kind",), f"write kind: {KIND}"))
    if version != API_VERSION:
        known = isinstance(version, str)
        message = f"there is no apiVersion {version!r}" if known else "apiVersion is no string"
        hint = f"write apiVersion: {API_VERSION}"
        found.append(_error("BAI205", message, document, ("apiVersion",), hint))
    if found and not is_experiment(data):
        first = found[0]
        return (replace(first, hint=f"{first.hint}. The rest of the document was not checked"),)
    return tuple(found)


def _for_another_tool(document: Document) -> Finding:
    data = document.data
    keys = [key for key in ("apiVersion", "kind") if data.get(key) is not None]
    given = ", ".join(f"{key} {str(data[key])!r}" for key in keys)
    is_manifest = re.fullmatch(_KUBERNETES, str(data.get("apiVersion")))
    tool = "Kubernetes" if is_manifest else "another tool"
    message = f"this is for {tool}, not for bai: {given}"
    hint = (
        f"bai reads specs (apiVersion: {API_VERSION}) and Batch AI's job, cluster and file "
        "server files"
    )
    return _error("BAI205", message, document, (keys[-1],), hint)


def is_foreign(data: Any) -> bool:
    """Return whether a mapping says that it is for another tool, Kubernetes for one."""
    kind, version = data.get("kind", KIND), data.get("apiVersion")
    if is_experiment(data) or not isinstance(kind, str):
        return False
    if isinstance(version, str):
        return not version.lower().startswith("bai") and not nearest(version, (API_VERSION,), 0.8)
    return version is None and not nearest(kind, (KIND,))


def is_experiment(data: Any) -> bool:
    """Return whether a mapping is an experiment by its spec, whatever its kind says."""
    spec = data.get("spec")
    return isinstance(spec, dict) and not spec.keys().isdisjoint(fields(ExperimentSpec))


def without_names(document: Document) -> Iterator[tuple[Finding, Path]]:
    """Yield a finding, and where it is, for jobs or machines whose keys stand where names belong.

    All that their models say of it is wrong for this reason only.
    """
    spec = document.data.get("spec")
    for part in ("jobs", "clusters", "fileServers"):
        given = spec.get(part) if isinstance(spec, dict) else None
        model = model_at(("spec", part, ANY))
        if not isinstance(given, dict) or model is None:
            continue
        keys = [key for key in given if key in fields(model)]
        if wrong := [key for key in keys if isinstance(given[key], (str, list))]:
            what = {"jobs": "job", "clusters": "cluster"}.get(part, "file server")
            message = f"{part}: expected the name of a {what}, found its key {wrong[0]!r}"
            name = f"{what.split()[-1]}1:"
            hint = f"write a name first, {name} for example, and indent the keys below it"
            path = ("spec", part)
            yield _error("BAI203", message, document, (*path, wrong[0]), hint, key=True), path


def explain(
    code: str,
    path: Path,
    context: dict[str, Any],
    detail: Any,
    document: Document,
    model: type[BaseModel] | None,
) -> Finding:
    """Return the finding for one of pydantic's own errors.

    Args:
        code: pydantic's error type.
        path: the wrong value's path, or the missing key's.
        context: the error's own details.
        detail: the whole error.
        document: where it stands.
        model: the model that holds the last step of `path`, if one does.
    """
    name = str(path[-1]) if path else ""
    value = detail.get("input")
    match code:
        case "extra_forbidden":
            hint = _unknown_key_hint(path, model, document)
            found = _error("BAI201", f"unknown key {name!r}", document, path, hint, key=True)
            return replace(found, fix=_renaming(path, model, document))
        case "missing":
            what = _line_to_add(model, name) or _description(model, name)
            message = f"the key {name!r} is missing"
            return _error("BAI202", message, document, path[:-1], what, key=True)
        case "literal_error":
            valid = re.findall("'([^']+)'", context["expected"])
            if value is None:
                return _error("BAI203", _expected(path, "one of its values", value), document, path)
            message = f"{name} can't be {_shown(value)}"
            hint = f"expected {context['expected']}"
            if isinstance(value, str) and (near := nearest(value, valid)):
                hint = f"did you mean {near}? {hint}"
            return _error("BAI301", message, document, path, hint)
        case "string_pattern_mismatch":
            what, rule = PATTERNS[context["pattern"]]
            at_key = detail["loc"][-1] == "[key]"
            if at_key and ":" in str(value):
                # What is behind the colon may be a secret.
                value, rule = f"{value.partition(':')[0]}:...", "write a space behind the colon"
            message = f"{_shown(value)} is no {what}"
            return _error("BAI302", message, document, path, rule, key=at_key)
        case "string_too_short":
            message = f"{name or 'the key'} is empty"
            what, at_key = _description(model, name), detail["loc"][-1] == "[key]"
            return _error("BAI304", message, document, path, what, key=at_key)
        case "greater_than_equal" | "less_than_equal":
            bound = "at least" if code.startswith("greater") else "at most"
            limit = context["ge" if code.startswith("greater") else "le"]
            message = f"{name}: expected {bound} {limit}, found {value}"
            return _error("BAI303", message, document, path)
        case "too_long":
            most, found = context["max_length"], context["actual_length"]
            message = f"{name}: expected at most {most} items, found {found}"
            return _error("BAI303", message, document, path)
        case "model_type" | "model_attributes_type" | "dict_type":
            return _error("BAI203", _expected(path, "a mapping", value), document, path)
        case "list_type":
            return _error("BAI203", _expected(path, "a list", value), document, path)
    return _error("BAI203", f"{name}: {detail['msg'].lower()}", document, path)


def _expected(path: Path, expected: str, value: object) -> str:
    where = f"{path[-1]}: " if path else ""
    hidden = isinstance(value, str) and is_secret_place(path)
    return f"{where}expected {expected}, found {'a string' if hidden else kind_of(value)}"


def _shown(value: object) -> str:
    return repr(str(value)) if isinstance(value, str) else kind_of(value)


def meant_key(path: Path, model: type[BaseModel], document: Document) -> str | None:
    """Return the key beside it that the unknown key at the end of `path` stands for, or None."""
    name, valid = str(path[-1]), list(fields(model))
    ours = BATCH_AI_KEYS.get(name)
    if ours in valid:
        return ours
    if near := nearest(name, valid, cutoff=0.9):
        return near
    return None if _other_home(path, document) else nearest(name, valid)


def _renaming(path: Path, model: type[BaseModel] | None, document: Document) -> Fix | None:
    """Return the fix of an unknown key that can only mean one other."""
    if model is None:
        return None
    name, valid = str(path[-1]), list(fields(model))
    ours = BATCH_AI_KEYS.get(name) if name in SAME_VALUES else None
    meant = ours if ours in valid else evident(name, valid)
    # What the hint says, or nothing.
    return (
        rename_key(document, path, meant)
        if meant and meant == meant_key(path, model, document)
        else None
    )


def _unknown_key_hint(path: Path, model: type[BaseModel] | None, document: Document) -> str:
    name = str(path[-1])
    if model and (meant := meant_key(path, model, document)):
        if (*path[:-1], meant) in document.keys:
            return f"did you mean {meant}? It is there as well: keep one of them"
        ours = meant == BATCH_AI_KEYS.get(name)
        return f"its name here is {meant}" if ours else f"did you mean {meant}?"
    return _other_home(path, document) or suggestion(name, fields(model) if model else ())


def _other_home(path: Path, document: Document) -> str | None:
    """Return a sentence that says where else the key at the end of `path` belongs, or None."""
    name, here = str(path[-1]), path[:-1]
    ours = BATCH_AI_KEYS.get(name)
    if place := _home(name, here, document):
        return f"it belongs in {place}"
    if ours and (place := _home(ours, here, document)):
        return f"its name is {ours}, and it belongs in {place}"
    return None


def _home(key: str, here: Path, document: Document) -> str | None:
    """Return where `key` belongs, as near to `here` as can be, in words."""
    best: tuple[int, int] = (-1, -1)
    found: list[str] = []
    for steps in homes(key):
        shared = 0
        while shared < min(len(steps), len(here)) and steps[shared] in (ANY, here[shared]):
            shared += 1
        # Inside of the same job, `spec.jobs.NAME` is `spec.jobs.train`.
        known = (*here[:shared], *steps[shared:])
        score = (shared, int(known in document.values))
        if score > best:
            best, found = score, []
        if score == best:
            found.append(".".join(map(str, known)) or "the top level")
    return " or ".join(found[:3]) or None


def _line_to_add(model: type[BaseModel] | None, key: str) -> str | None:
    """Return a sentence with the whole line of a key that has one value only; else None."""
    annotation = fields(model)[key].annotation if model else None
    values = get_args(annotation) if get_origin(annotation) is Literal else ()
    return f"add the line {key}: {values[0]}" if len(values) == 1 else None


def _description(model: type[BaseModel] | None, key: str) -> str | None:
    return field_docstrings(model).get(key) if model else None


def _error(
    code: str,
    message: str,
    document: Document,
    path: Path,
    hint: str | None = None,
    *,
    key: bool = False,
) -> Finding:
    span = document.key_span(path) if key else document.span(path)
    return Finding(code, Severity.ERROR, message, span, hint)
