"""One file, checked: quickly first, and thoroughly if there is anything to find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.compiler.batchai.recognition import batchai_kind, is_spec, is_surely
from bai.linter.context import RuleContext
from bai.linter.driver.clean import is_clean, view_of
from bai.linter.environment import LintEnvironment
from bai.linter.resource_view import ResourceView
from bai.linter.rules.registry import violations
from bai.linter.rules.report import report
from bai.specs.findings import Finding, by_place
from bai.specs.syntax.characters import encoding_of
from bai.specs.syntax.fast_reader import read_quickly

if TYPE_CHECKING:
    # What compiles specs takes long to import, and Batch AI's own files need none of it; those
    # without findings need no reader that knows places either.
    from bai.specs.document import Document

_OWN_WORDS: Final = (
    *(b"bai/", b"Experiment", b"BatchAI"),
    *(b"nodeCount", b"stdOutErrPathPrefix", b"vmSize"),
)
"""Words that files of ours have, and few others."""
_WORDS: Final = (b"properties", *_OWN_WORDS)
"""Each of our files has one of these, also with some of its words misspelt."""


class Report(NamedTuple):
    """What there is to say about a file, and what was looked at for it."""

    findings: tuple[Finding, ...]
    """In the order of the text."""
    context: RuleContext
    """What the rules saw."""
    is_whole: bool = True
    """Whether they saw all of it: a spec that does not compile is shown in part, or not at all."""


def lint(
    content: bytes,
    file: str,
    directory: str,
    environment: LintEnvironment,
    *,
    skip_foreign: bool = False,
) -> tuple[Finding, ...] | None:
    """Return everything that is wrong with a file, as `examine` does."""
    report = examine(content, file, directory, environment, skip_foreign=skip_foreign)
    return None if report is None else report.findings


def examine(
    content: bytes,
    file: str,
    directory: str,
    environment: LintEnvironment,
    *,
    skip_foreign: bool = False,
) -> Report | None:
    """Look at a file.

    Args:
        content: the file's bytes, whatever they are.
        file: the name that findings carry.
        directory: absolute path of the folder that relative paths in a spec start from.
        environment: what the file is checked in.
        skip_foreign: whether there is nothing to say of files that are no specs, and not Batch
            AI's: those that nobody named.

    Returns:
        None if the file is such a stranger.
    """
    if clean := _clean(content, environment):
        return Report((), clean)
    if skip_foreign and not _may_be_ours(content):
        return None
    from bai.specs.syntax.reader import read

    documents, unread = read(content, file)
    if skip_foreign and not (
        any(is_surely(each.data) for each in documents)
        if documents
        else _may_be_ours(content, _OWN_WORDS)
    ):
        return None
    found = dict.fromkeys(unread)
    items: list[ResourceView] = []
    is_whole = is_read = True
    specs = []
    for document in documents:
        if is_spec(document.data):
            specs.append(document)
        elif kind := batchai_kind(document.data):
            from bai.linter.schema.messages import schema_findings

            resource = view_of(kind, document)
            refused_keys, resource = schema_findings(resource, document)
            found |= dict.fromkeys(refused_keys)
            # Where there are no `properties`, nothing stands where rules look for it.
            if "properties" in resource.wire:
                items.append(resource)
            else:
                is_whole = False
        elif not unread or isinstance(document.data, dict):
            from bai.linter.driver.foreign_files import unknown_kind

            found[unknown_kind(document)] = None
    if specs:
        refused, compiled, subjects_of_specs = _of_specs(specs, unread, directory, environment)
        found |= dict.fromkeys((*refused, *compiled))
        is_read = not refused
        is_whole = is_whole and not refused and not compiled
        items += subjects_of_specs
    context = RuleContext(items, environment, directory)
    for rule, view, violation in violations(context):
        if is_read or not rule.needs_all:
            found[report(rule.code, view, violation)] = None
    return Report(tuple(sorted(found, key=by_place)), context, is_whole)


def _clean(content: bytes, environment: LintEnvironment) -> RuleContext | None:
    """Return what a file says, or None if there may be anything to find in it."""
    documents = read_quickly(content)
    if documents is None:
        return None
    items = []
    for data in documents:
        kind = batchai_kind(data)
        if kind is None:
            return None
        items.append(ResourceView(kind, data))
    context = RuleContext(items, environment)
    return context if is_clean(context) else None


def _may_be_ours(content: bytes, words: Sequence[bytes] = _WORDS) -> bool:
    """Return whether a file has a word that files of ours have."""
    if encoding_of(content) != "utf-8":
        # Every other byte of ASCII in UTF-16 is zero.
        content = content.replace(b"\0", b"")
    return any(word in content for word in words)


def _of_specs(
    documents: Sequence[Document],
    unread: Sequence[Finding],
    directory: str,
    environment: LintEnvironment,
) -> tuple[Sequence[Finding], Sequence[Finding], Sequence[ResourceView]]:
    """Return what is refused in specs, what compiling finds in the rest, and what becomes of it."""
    from bai.compiler.compilation import Defaults
    from bai.compiler.compile import compile_specs
    from bai.compiler.duplicates import duplicates
    from bai.linter.views import views_of
    from bai.specs.load import load_documents

    loaded = load_documents(documents, unread, directory, partly=True)
    defaults = environment.defaults() if environment.defaults else Defaults()
    compiled = compile_specs(loaded.specs, defaults)
    found = [finding for each in compiled for finding in each.findings]
    found += duplicates(resource for each in compiled for resource in each.resources)
    views = [
        view
        for spec, each in zip(loaded.specs, compiled, strict=True)
        for view in views_of(each.resources, spec.document)
    ]
    return loaded.findings, found, views
