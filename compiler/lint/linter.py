"""One file, checked: quickly first, and thoroughly if there is anything to find."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.compiler.lint.batchai import is_clean, subject_of
from bai.compiler.recognise import batchai_kind, is_spec, is_surely
from bai.compiler.rules.registry import complaints
from bai.compiler.rules.subject import Subject, Subjects
from bai.compiler.rules.surroundings import Surroundings
from bai.specs.characters import encoding_of
from bai.specs.findings import Finding, by_place
from bai.specs.quick import read_quickly

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
    subjects: Subjects
    """What the rules saw."""
    is_whole: bool = True
    """Whether they saw all of it: a spec that does not compile is shown in part, or not at all."""


def lint(
    content: bytes,
    file: str,
    directory: str,
    surroundings: Surroundings,
    *,
    skip_strangers: bool = False,
) -> tuple[Finding, ...] | None:
    """Return everything that is wrong with a file, as `examine` does."""
    report = examine(content, file, directory, surroundings, skip_strangers=skip_strangers)
    return None if report is None else report.findings


def examine(
    content: bytes,
    file: str,
    directory: str,
    surroundings: Surroundings,
    *,
    skip_strangers: bool = False,
) -> Report | None:
    """Look at a file.

    Args:
        content: the file's bytes, whatever they are.
        file: the name that findings carry.
        directory: absolute path of the folder that relative paths in a spec start from.
        surroundings: what the file is checked in.
        skip_strangers: whether there is nothing to say of files that are no specs, and not Batch
            AI's: those that nobody named.

    Returns:
        None if the file is such a stranger.
    """
    if clean := _clean(content, surroundings):
        return Report((), clean)
    if skip_strangers and not _may_be_ours(content):
        return None
    from bai.specs.reader import read

    documents, unread = read(content, file)
    if skip_strangers and not (
        any(is_surely(each.data) for each in documents)
        if documents
        else _may_be_ours(content, _OWN_WORDS)
    ):
        return None
    found = dict.fromkeys(unread)
    items: list[Subject] = []
    is_whole = is_read = True
    specs = []
    for document in documents:
        if is_spec(document.data):
            specs.append(document)
        elif kind := batchai_kind(document.data):
            from bai.compiler.lint.schema_errors import schema_findings

            subject = subject_of(kind, document)
            refused_keys, subject = schema_findings(subject, document)
            found |= dict.fromkeys(refused_keys)
            # Where there are no `properties`, nothing stands where rules look for it.
            if "properties" in subject.wire:
                items.append(subject)
            else:
                is_whole = False
        elif not unread or isinstance(document.data, dict):
            from bai.compiler.lint.strangers import unknown_kind

            found[unknown_kind(document)] = None
    if specs:
        refused, compiled, subjects_of_specs = _of_specs(specs, unread, directory, surroundings)
        found |= dict.fromkeys((*refused, *compiled))
        is_read = not refused
        is_whole = is_whole and not refused and not compiled
        items += subjects_of_specs
    subjects = Subjects(items, surroundings, directory)
    for rule, each in complaints(subjects):
        if is_read or not rule.needs_all:
            found[rule.finding(each)] = None
    return Report(tuple(sorted(found, key=by_place)), subjects, is_whole)


def _clean(content: bytes, surroundings: Surroundings) -> Subjects | None:
    """Return what a file says, or None if there may be anything to find in it."""
    documents = read_quickly(content)
    if documents is None:
        return None
    items = []
    for data in documents:
        kind = batchai_kind(data)
        if kind is None:
            return None
        items.append(Subject(kind, data))
    subjects = Subjects(items, surroundings)
    return subjects if is_clean(subjects) else None


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
    surroundings: Surroundings,
) -> tuple[Sequence[Finding], Sequence[Finding], Sequence[Subject]]:
    """Return what is refused in specs, what compiling finds in the rest, and what becomes of it."""
    from bai.compiler.compilation import Defaults
    from bai.compiler.duplicates import duplicates
    from bai.compiler.lowering import lower_specs
    from bai.specs.load import load_documents

    loaded = load_documents(documents, unread, directory, partly=True)
    defaults = surroundings.defaults() if surroundings.defaults else Defaults()
    lowered = lower_specs(loaded.specs, defaults)
    found = [finding for each in lowered for finding in each.findings]
    found += duplicates(resource for each in lowered for resource in each.resources)
    return loaded.findings, found, [subject for each in lowered for subject in each.subjects]
