"""Which kind a document is of, by its kind and apiVersion and by what it has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from bai.specs.document import Document, error_at
from bai.specs.findings import Finding, Path
from bai.specs.models.kinds import EXPERIMENT, KINDS, meant_kind, root_of, spec_keys
from bai.specs.models.shape import ANY, fields, model_at
from bai.specs.names import nearest
from bai.specs.source.edits import word_fix
from bai.specs.source.plain_scalar import kind_of
from bai.specs.syntax.json_events import looks_like_json

API_VERSION = "bai/v1"
_EXPERIMENT: Final = frozenset(("jobs", "clusters", "fileServers", "storageAccount", "storageKey"))
"""Keys that tell an experiment."""
_MACHINES: Final = frozenset(("vmSize", "scale", "disks"))
"""Keys that tell a cluster or a file server, in a document that says that it is one."""
_MOST_NAMED: Final = 3
"""Keys that a message names."""
_KUBERNETES = r"(?:[-.\w]+/)?v[0-9]+(?:(?:alpha|beta)[0-9]+)?"
"""An apiVersion of Kubernetes: `v1`, `apps/v1`, `example.org/v1beta1`."""


def no_spec(document: Document) -> tuple[Finding, ...]:
    """Return what is wrong with a document that is no spec, which is all there is to say."""
    if finding := _not_a_spec(document):
        return (finding,)
    kinds = wrong_kinds(document)
    is_ours = _is_ours_by_keys(document.data) and not is_foreign(document.data)
    return () if is_ours else kinds


def _not_a_spec(document: Document) -> Finding | None:
    data = document.data
    if isinstance(data, list) and any(isinstance(item, dict) and _is_ours(item) for item in data):
        message, way_out = listed("a spec", document)
        return error_at("BAI205", message, document, (), way_out)
    if not isinstance(data, dict):
        message = f"expected apiVersion, kind, metadata and spec, found {kind_of(data)}"
        hint = "write a space behind each colon" if isinstance(data, str) and ":" in data else None
        return error_at("BAI205", message, document, (), hint)
    return batchai_file(document) if "properties" in data and "spec" not in data else None


def batchai_file(document: Document) -> Finding:
    """Return the finding for one of Batch AI's own files where a spec is expected."""
    message = "this is a file for Batch AI, not a spec"
    return error_at("BAI205", message, document, (), "turn it into a spec with `bai import`")


def wrong_kinds(document: Document) -> tuple[Finding, ...]:
    """Return what is wrong with the kind and the apiVersion of a mapping.

    Of a document that is no spec by its keys either, that is all there is to say.
    """
    data = document.data
    if is_foreign(data):
        return (_for_another_tool(document),)
    found = []
    if finding := _wrong_kind(document):
        found.append(finding)
    version = data.get("apiVersion", API_VERSION)
    if version != API_VERSION:
        is_text = isinstance(version, str)
        message = f"there is no apiVersion {version!r}" if is_text else "apiVersion is no string"
        hint = f"write apiVersion: {API_VERSION}"
        wrong = error_at("BAI205", message, document, ("apiVersion",), hint)
        found.append(wrong.replaced(fix=word_fix(document, ("apiVersion",), (API_VERSION,))))
    if found and not _is_ours_by_keys(data):
        first = found[0]
        return (first.replaced(hint=f"{first.hint}. The rest of the document was not checked"),)
    return tuple(found)


def _wrong_kind(document: Document) -> Finding | None:
    """Return the finding for a kind that is none, or that has other keys."""
    data, path = document.data, ("kind",)
    meant = meant_kind(data)
    given = data.get("kind", meant)
    if given == meant:
        return None
    if not isinstance(given, str):
        return error_at("BAI205", "kind is no string", document, path, f"write kind: {meant}")
    if given in KINDS:
        keys = [key for key in data["spec"] if key not in spec_keys(given)]
        names = ", ".join(keys[:_MOST_NAMED]) + (", ..." if len(keys) > _MOST_NAMED else "")
        article = "an" if meant == EXPERIMENT else "a"
        message = f"kind is {given}, but the spec has keys of {article} {meant}: {names}"
        hint = f"write kind: {meant}"
        if given == EXPERIMENT:
            section = {"Cluster": "clusters", "FileServer": "fileServers"}[meant]
            hint += f"; in an Experiment they stand below spec.{section}.NAME"
        return error_at("BAI205", message, document, path, hint)
    *most, last = KINDS
    is_clear = nearest(given, KINDS) or _is_ours_by_keys(data)
    hint = f"write kind: {meant}" if is_clear else f"valid here: {', '.join(most)} and {last}"
    found = error_at("BAI205", f"there is no kind {given!r}", document, path, hint)
    return found.replaced(fix=word_fix(document, path, KINDS))


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
    return error_at("BAI205", message, document, (keys[-1],), hint)


def is_foreign(data: Any) -> bool:
    """Return whether a mapping says that it is for another tool, Kubernetes for one."""
    kind, version = data.get("kind", EXPERIMENT), data.get("apiVersion")
    if _is_experiment(data) or not isinstance(kind, str):
        return False
    if isinstance(version, str):
        return not version.lower().startswith("bai") and not nearest(version, (API_VERSION,), 0.8)
    return version is None and not nearest(kind, KINDS)


def _is_ours(data: dict[str, Any]) -> bool:
    """Return whether a mapping is a spec by its keys or its apiVersion."""
    return _is_ours_by_keys(data) or data.get("apiVersion") == API_VERSION


def _is_ours_by_keys(data: Any) -> bool:
    """Return whether a mapping is a spec by the keys of its `spec`, whatever its kind says."""
    is_other = meant_kind(data) != EXPERIMENT
    return _is_experiment(data) or (is_other and not _MACHINES.isdisjoint(data.get("spec") or ()))


def _is_experiment(data: Any) -> bool:
    spec = data.get("spec")
    return isinstance(spec, dict) and not spec.keys().isdisjoint(_EXPERIMENT)


def without_names(document: Document) -> Iterator[tuple[Finding, Sequence[Path]]]:
    """Yield a finding for jobs or machines whose keys stand where names belong, and where.

    All that their models say of it is wrong for this reason only.
    """
    spec = document.data.get("spec")
    for part in ("jobs", "clusters", "fileServers"):
        given = spec.get(part) if isinstance(spec, dict) else None
        model = model_at(("spec", part, ANY), root_of(document.data))
        if not isinstance(given, dict) or model is None:
            continue
        known = fields(model)
        if wrong := [key for key in given if key in known and not _is_named(given[key], known)]:
            what = {"jobs": "job", "clusters": "cluster"}.get(part, "file server")
            message = f"{part}: expected the name of a {what}, found its key {wrong[0]!r}"
            name = f"{what.split()[-1]}1:"
            hint = f"write a name first, {name} for example, and indent the keys below it"
            before = takewhile(lambda key: key != wrong[0], given)
            if names := [key for key in before if key not in known]:
                hint = f"indent it like the other keys of {names[-1]}"
                if given[names[-1]] is None:
                    hint = f"indent it, and the keys behind it, deeper than {names[-1]}"
            path = ("spec", part)
            yield error_at("BAI203", message, document, (*path, wrong[0]), hint, key=True), [path]


def _is_named(value: Any, keys: Collection[str]) -> bool:
    """Return whether a value may be a job or machine, which has some of the given keys."""
    if isinstance(value, dict):
        return not value or not value.keys().isdisjoint(keys)
    return not isinstance(value, (str, list))


def listed(what: str, document: Document) -> tuple[str, str]:
    """Return message and hint for a document that is a list, and should be its item.

    Args:
        what: the item should be, `a spec` for one.
        document: its data is a list.
    """
    if len(document.data) > 1:
        hint = "write each item into a file of its own"
    elif looks_like_json(document.text) or document.text.lstrip().startswith("["):
        hint = "remove the brackets around it"
    else:
        hint = "remove the dash, and indent all keys below it two characters less"
    return f"{what} stands in a list", hint
