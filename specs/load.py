"""From text to specs: read it, validate its documents, and explain what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from bai.specs.document import Document
from bai.specs.extensions import without_extensions
from bai.specs.findings import Finding, Path, Span, errors, in_order
from bai.specs.models.kinds import AnySpec
from bai.specs.parameters.records import NOT_YET, GivenValues
from bai.specs.parameters.references import may_have_parameters
from bai.specs.sweeps.swept import has_sweeps
from bai.specs.validation.findings import spec_findings
from bai.specs.validation.kinds import no_spec
from bai.specs.validation.messages import finding_of
from bai.specs.validation.model_errors import ModelError, validate
from bai.specs.validation.recovery import recover, with_meant_keys
from bai.specs.validation.spec_keys import SpecKeys

if TYPE_CHECKING:
    from bai.specs.sweeps.expansion import Members


@dataclass(frozen=True, slots=True)
class LoadedSpec:
    """A spec of any kind with the document that it was read from."""

    model: AnySpec
    document: Document
    directory: str
    """Absolute path of the folder that relative paths in the spec start from."""
    is_valid: bool = True
    """Whether it can be run; else it has what is right in a spec with errors, for checks only."""
    used_parameters: frozenset[str] = frozenset()
    """The parameters that something in it refers to."""
    sweeps: Mapping[str, Members] = field(default_factory=dict)
    """Name of a job with a sweep -> the jobs that it became, which the model has in its place."""


@dataclass(frozen=True, slots=True)
class LoadResult:
    """The specs of a file, and what is wrong with those that are not valid."""

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
    given: GivenValues = NOT_YET,
) -> LoadResult:
    """Make the specs of a file's documents.

    Args:
        documents: what was read.
        findings: what was wrong with reading it; they are findings of the result as well.
        directory: absolute path of the folder that relative paths start from.
        given: values of parameters.
    """
    found = dict.fromkeys(findings)
    unread = {finding.span for finding in findings}
    specs: list[LoadedSpec] = []
    for document in documents:
        loaded = load_document(document, directory, given)
        specs += loaded.specs
        # What could not be read is wrong for that reason only.
        keys = _keys_of(unread, document)
        found |= dict.fromkeys(
            finding
            for finding in loaded.findings
            if finding.span not in unread and (finding.span not in keys or finding.code == "BAI201")
        )
    return LoadResult(tuple(specs), in_order(found))


def _keys_of(unread: Set[Span | None], document: Document) -> Set[Span]:
    """Return where the keys stand whose values could not be read."""
    if not unread:
        return frozenset()
    paths = (path for path, span in document.values.items() if span in unread)
    return {document.keys[path] for path in paths if path in document.keys}


def load_document(document: Document, directory: str, given: GivenValues = NOT_YET) -> LoadResult:
    """Make a spec of a document, as `load_documents` does."""
    if refused := no_spec(document):
        return LoadResult((), refused)
    document = without_extensions(document)
    if not (may_have_parameters(document) or has_sweeps(document.data)):
        return _validated(document, directory)
    # Few specs have parameters or sweeps, and start-up time counts for all.
    from bai.specs.parameters.filling import fill
    from bai.specs.parameters.values import Parameters
    from bai.specs.sweeps.expansion import expand

    parameters = Parameters.of(document, given)
    expanded = expand(document, parameters)
    filled = fill(expanded.document, parameters, expanded.values, expanded.unclear)
    loaded = _validated(filled.document, directory)
    own = (*expanded.findings, *filled.findings)
    findings = (*own, *filled.explained(loaded.findings))
    if own:
        findings = in_order(findings)
    is_right = not errors(own)
    specs = [
        replace(
            spec,
            is_valid=spec.is_valid and is_right,
            used_parameters=filled.used | expanded.used,
            sweeps=expanded.sweeps,
        )
        for spec in loaded.specs
    ]
    return LoadResult(tuple(specs), findings)


def _validated(document: Document, directory: str) -> LoadResult:
    """Make a spec of a document whose parameters have their values in it."""
    found = validate(document.data)
    if isinstance(found, AnySpec):
        return LoadResult((LoadedSpec(found, document, directory),), ())
    keys = SpecKeys(document)
    findings = spec_findings(found, document, keys)
    while respelt := with_meant_keys(found, document, keys):
        document, paths = respelt
        found = validate(document.data)
        if isinstance(found, AnySpec):
            spec = LoadedSpec(found, document, directory, is_valid=False)
            return LoadResult((spec,), findings)
        keys = SpecKeys(document)
        below = _below(paths, spec_findings(found, document, keys), document)
        findings = in_order((*findings, *below))
    rest = recover(found, document, keys)
    specs = (LoadedSpec(rest.model, document, directory, is_valid=False),) if rest.model else ()
    return LoadResult(specs, _with_rest(findings, rest.unclear, document, keys))


def _below(
    paths: Sequence[Path], findings: Iterable[Finding], document: Document
) -> Iterator[Finding]:
    """Yield those of a document's findings that are about values at, or below, paths."""
    values = {document.span(path) for path in paths}
    keys = {document.key_span(path) for path in paths}
    for finding in findings:
        # What is missing in a mapping is reported at its key.
        is_missing = finding.code == "BAI202" and finding.span in keys
        if is_missing or (finding.span and any(span.covers(finding.span) for span in values)):
            yield finding


def _with_rest(
    findings: Sequence[Finding], unclear: Iterable[ModelError], document: Document, keys: SpecKeys
) -> tuple[Finding, ...]:
    """Return findings of which the first about one of the errors says that more may be wrong."""
    numbers = [_number_of(error, findings, document, keys) for error in unclear]
    if not numbers:
        return tuple(findings)
    first = findings[min(numbers)]
    rest = first.replaced(hint=_and_the_rest(first.hint))
    return tuple(rest if finding is first else finding for finding in findings)


def _number_of(
    error: ModelError, findings: Sequence[Finding], document: Document, keys: SpecKeys
) -> int:
    """Return the number of the finding about an error: its own, or the one that explains it."""
    own = finding_of(error, document, keys)
    if own in findings:
        return findings.index(own)
    for length in range(len(error.path), -1, -1):
        here = error.path[:length]
        spans = [spans[here] for spans in (document.keys, document.values) if here in spans]
        for number, finding in enumerate(findings):
            if finding.span and any(span.covers(finding.span) for span in spans):
                return number
    return 0


def _and_the_rest(hint: str | None) -> str:
    """Return a hint that says that more may be wrong."""
    rest = "The rest is checked once this is fixed"
    if not hint:
        return rest
    return f"{hint} {rest}" if hint.endswith((".", "?")) else f"{hint}. {rest}"
