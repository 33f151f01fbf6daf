"""From text to specs: read it, validate its documents, and explain what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from bai.specs.document import Document
from bai.specs.findings import Finding, Span, by_place
from bai.specs.models.experiment import Experiment
from bai.specs.validation.findings import spec_findings
from bai.specs.validation.kinds import no_experiment
from bai.specs.validation.model_errors import validate
from bai.specs.validation.recovery import recover, with_meant_keys
from bai.specs.validation.spec_keys import SpecKeys
from bai.specs.validation.unknown_keys import MAX_ROUNDS


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
        keys = _keys_of(unread, document)
        found |= dict.fromkeys(
            finding
            for finding in loaded.findings
            if finding.span not in unread and (finding.span not in keys or finding.code == "BAI201")
        )
    return LoadResult(tuple(specs), tuple(sorted(found, key=by_place)))


def _keys_of(unread: Set[Span | None], document: Document) -> Set[Span]:
    """Return where the keys stand whose values could not be read."""
    if not unread:
        return frozenset()
    paths = (path for path, span in document.values.items() if span in unread)
    return {document.keys[path] for path in paths if path in document.keys}


def load_document(document: Document, directory: str, *, partly: bool = False) -> LoadResult:
    """Make a spec of a document, as `load_documents` does."""
    if refused := no_experiment(document):
        return LoadResult((), refused)
    validated = validate(document.data)
    if isinstance(validated, Experiment):
        return LoadResult((LoadedSpec(validated, document, directory),), ())
    keys = SpecKeys(document)
    findings = spec_findings(validated, document, keys)
    if not partly:
        return LoadResult((), findings)
    for _ in range(MAX_ROUNDS):
        respelt = with_meant_keys(validated, document, keys)
        if respelt is None:
            break
        document, places = respelt
        validated = validate(document.data)
        if isinstance(validated, Experiment):
            return LoadResult((LoadedSpec(validated, document, directory),), findings)
        keys = SpecKeys(document)
        findings = _with_findings_below(findings, spec_findings(validated, document, keys), places)
    rest = recover(validated, document, keys)
    if not rest.is_whole:
        findings = (findings[0].replaced(hint=_with_rest(findings[0].hint)), *findings[1:])
    specs = (LoadedSpec(rest.model, document, directory),) if rest.model else ()
    return LoadResult(specs, findings)


def _with_findings_below(
    findings: Sequence[Finding], others: Sequence[Finding], places: Sequence[Span]
) -> tuple[Finding, ...]:
    """Return findings together with those of others that lie within places."""
    below = [
        each for each in others if each.span and any(place.covers(each.span) for place in places)
    ]
    return tuple(sorted(dict.fromkeys((*findings, *below)), key=by_place))


def _with_rest(hint: str | None) -> str:
    """Return a hint that says that more may be wrong."""
    rest = "The rest is checked once this is fixed"
    if not hint:
        return rest
    return f"{hint} {rest}" if hint.endswith((".", "?")) else f"{hint}. {rest}"
