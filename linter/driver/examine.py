"""Check parsed files: a fast pass first, and a full one with places if there are findings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.compiler.batchai.recognition import batchai_kind, is_spec
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.environment import LintEnvironment
from bai.linter.facts.command_lines import commands
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import all_rules, violations
from bai.linter.rules.report import report
from bai.linter.sureness import judged
from bai.specs.codes import CODES, Stage
from bai.specs.findings import Finding, by_place
from bai.specs.parsed_file import ParsedFile
from bai.specs.source.plain_scalar import resolved

if TYPE_CHECKING:
    # The compiler takes long to import, and Batch AI's own files do not need it; clean ones do
    # not need the reader with places either.
    from bai.specs.document import Document

_SPEC_KEY: Final = b"apiVersion"
"""A file with it is read with places at once: a spec is compiled, which needs them."""


_ALWAYS: Final = (Stage.READING, Stage.COMPILING, Stage.CHECKING, Stage.SUPPRESSING)
"""Other stages are those of other commands, or find other things on another machine."""


class Report(NamedTuple):
    """The findings of files that were checked together, and the checked resources."""

    findings: tuple[Finding, ...]
    """In the order of the text."""
    context: RuleContext
    """What the rules saw."""
    is_whole: bool = True
    """Whether they saw all of it: a spec that does not compile is shown in part, or not at all."""

    @property
    def unchecked(self) -> Collection[str]:
        """The codes that were not checked, or not everywhere.

        Suppressions of them are not reported as unused.
        """
        if not self.is_whole:
            return CODES.keys()
        found = {code.code for code in CODES.values() if code.stage not in _ALWAYS}
        if any(self.context.cluster_of(job) is None for job in self.context.jobs):
            found |= {rule.code for rule in all_rules() if rule.needs_cluster}
        return found


def plain_context(file: ParsedFile, environment: LintEnvironment) -> RuleContext | None:
    """Return a file as rules look at it, without places; None if it needs the reader."""
    if _SPEC_KEY in file.content:
        return None
    items = []
    for data in file.data or ():
        kind = batchai_kind(data)
        if kind is None:
            return None
        items.append(ResourceView(kind, data))
    return RuleContext(items, environment) if items else None


def examine(files: Sequence[ParsedFile], environment: LintEnvironment) -> Report:
    """Check files that belong together: a job may run on a cluster of another one.

    Args:
        files: the files.
        environment: external inputs of the rules.
    """
    # Imported here because clean files do not need it.
    from bai.linter.driver.foreign_files import foreign_documents, other_language

    found: dict[Finding, None] = {}
    items: list[ResourceView] = []
    is_whole = is_read = True
    for file in files:
        if finding := other_language(file):
            found[finding] = None
            continue
        found |= dict.fromkeys((*file.syntax_errors, *foreign_documents(file)))
        for document in file.documents:
            if kind := batchai_kind(document.data):
                from bai.linter.schema.messages import schema_findings

                resource = view_of(kind, document)
                schema_errors, resource = schema_findings(resource, document)
                found |= dict.fromkeys(schema_errors)
                # Without `properties`, rules would find nothing at their paths.
                if "properties" in resource.wire:
                    items.append(resource)
                else:
                    is_whole = False
    specs = [file for file in files if any(is_spec(each.data) for each in file.documents)]
    if specs:
        load_errors, compile_findings, views = _of_specs(specs, environment)
        found |= dict.fromkeys((*load_errors, *compile_findings))
        is_read = not load_errors
        is_judged = not any(view.spec and view.spec.unsure for view in views)
        is_whole = is_whole and not load_errors and not compile_findings and is_judged
        items += views
    folders = {file.directory for file in files}
    context = RuleContext(items, environment, folders.pop() if len(folders) == 1 else None)
    if environment.shell:
        environment.shell.prefetch([command for item in items for command in commands(item)])
    for rule, view, violation in violations(context):
        is_seen = is_read or not rule.needs_all
        if is_seen and (finding := judged(report(rule.code, view, violation), view)):
            found[finding] = None
    return Report(tuple(sorted(found, key=by_place)), context, is_whole)


def _of_specs(
    files: Sequence[ParsedFile], environment: LintEnvironment
) -> tuple[Sequence[Finding], Sequence[Finding], Sequence[ResourceView]]:
    """Return the errors of loading specs, the findings of compiling the rest, and its resources."""
    from bai.compiler.compilation import Defaults, findings_of
    from bai.compiler.compile import compile_specs
    from bai.linter.spec_findings import views_of
    from bai.specs.load import LoadResult, load_documents
    from bai.specs.parameters.records import NOT_YET

    given = environment.parameters or NOT_YET
    loaded = LoadResult.joined(
        [load_documents(_specs(file), file.syntax_errors, file.directory, given) for file in files]
    )
    defaults = environment.defaults() if environment.defaults else Defaults()
    compiled = compile_specs(loaded.specs, defaults)
    views = [
        view
        for spec, each in zip(loaded.specs, compiled, strict=True)
        for view in views_of(each.resources, spec.document)
    ]
    return loaded.findings, list(findings_of(compiled)), views


def _specs(file: ParsedFile) -> Sequence[Document]:
    return [document for document in file.documents if is_spec(document.data)]


def view_of(kind: Kind, document: Document) -> ResourceView:
    """Return a document as rules look at it, with its places."""
    return ResourceView(kind, resolved(document.data), places=document, source=document.text)
