"""One file, checked: quickly first, and thoroughly if there is anything to find."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from bai.compiler.lint.batchai import check_document, is_clean
from bai.compiler.recognise import batchai_kind, is_spec, is_surely
from bai.compiler.resources.ids import Kind
from bai.compiler.rules.subject import Subject
from bai.specs.findings import Finding, Severity, by_place
from bai.specs.quick import read_quickly

if TYPE_CHECKING:
    # What compiles specs takes long to import, and Batch AI's own files need none of it; those
    # without findings need no reader that knows places either.
    from bai.compiler.compilation import Defaults
    from bai.compiler.rules.machine import Files, Shell
    from bai.specs.document import Document


class Surroundings(NamedTuple):
    """What a file is checked in."""

    defaults: Callable[[], Defaults] | None = None
    """Returns what a spec may leave unsaid, if there is one; None for nothing."""
    clusters: Sequence[Subject] = ()
    """What job files are checked together with."""
    files: Files | None = None
    """The files of this machine, for rules that look at scripts."""
    shell: Shell | None = None
    """ShellCheck, for the rule that asks it."""


def lint(
    content: bytes,
    file: str,
    directory: str,
    surroundings: Surroundings,
    *,
    skip_strangers: bool = False,
) -> tuple[Finding, ...] | None:
    """Return everything that is wrong with a file, in the order of its text.

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
    if _is_clean(content, surroundings):
        return ()
    if skip_strangers and not _may_be_ours(content):
        return None
    from bai.specs.reader import read

    documents, unread = read(content, file)
    if skip_strangers and documents and not any(is_surely(each.data) for each in documents):
        return None
    found = dict.fromkeys(unread)
    specs = []
    for document in documents:
        if is_spec(document.data):
            specs.append(document)
        else:
            found |= dict.fromkeys(_of_document(document, surroundings))
    if specs:
        found |= dict.fromkeys(_of_specs(specs, unread, directory, surroundings))
    return tuple(sorted(found, key=by_place))


def _is_clean(content: bytes, surroundings: Surroundings) -> bool:
    documents = read_quickly(content)
    if documents is None:
        return False
    for data in documents:
        kind = batchai_kind(data)
        if kind is None:
            return False
        others = _companions(kind, surroundings)
        if not is_clean(kind, data, others, surroundings.files, surroundings.shell):
            return False
    return True


def _may_be_ours(content: bytes) -> bool:
    """Return whether a file says a word that every file of ours does."""
    return any(word in content for word in (b"bai/", b"Experiment", b"properties", b"BatchAI"))


def _companions(kind: Kind, surroundings: Surroundings) -> Sequence[Subject]:
    return surroundings.clusters if kind is Kind.JOB else ()


def _of_document(document: Document, surroundings: Surroundings) -> Iterator[Finding]:
    kind = batchai_kind(document.data)
    if kind is None:
        message = "this is neither an experiment spec nor a job, cluster or file server file"
        hint = "a spec begins with apiVersion: bai/v1, a file for Batch AI has `properties`"
        yield Finding("BAI209", Severity.ERROR, message, document.span(()), hint)
    else:
        others = _companions(kind, surroundings)
        yield from check_document(kind, document, others, surroundings.files, surroundings.shell)


def _of_specs(
    documents: Sequence[Document],
    unread: Sequence[Finding],
    directory: str,
    surroundings: Surroundings,
) -> Iterator[Finding]:
    from bai.compiler.compilation import Defaults
    from bai.compiler.compile import compile_spec
    from bai.compiler.duplicates import findings_of
    from bai.specs.load import load_documents

    loaded = load_documents(documents, unread, directory)
    yield from loaded.findings
    defaults = surroundings.defaults() if surroundings.defaults else Defaults()
    compilations = [
        compile_spec(spec, defaults, surroundings.files, surroundings.shell)
        for spec in loaded.specs
    ]
    yield from findings_of(compilations)
