"""The cluster file that job files are checked together with."""

from __future__ import annotations

from pathlib import Path

from bai.compiler.batchai.recognition import FILES, batchai_kind, is_spec
from bai.compiler.resources.ids import Kind
from bai.linter.driver.examine import view_of
from bai.linter.resource_view import ResourceView
from bai.specs.errors import ContextError
from bai.specs.findings import FindingsError
from bai.specs.syntax.reader import read


def read_cluster(path: str) -> ResourceView:
    """Return the cluster of a cluster file.

    Raises:
        ContextError: it is none, or can't be opened.
        FindingsError: it has syntax errors.
    """
    try:
        documents, unread = read(Path(path).read_bytes(), path)
    except OSError as error:
        raise ContextError(f"can't read {path}: {error.strerror}") from None
    if unread:
        raise FindingsError(unread)
    what = ""
    for document in documents:
        kind = batchai_kind(document.data)
        if kind is Kind.CLUSTER:
            return view_of(kind, document)
        if is_spec(document.data):
            what = ": it is a spec, whose jobs and clusters are checked together anyway"
        elif kind:
            what = f": it is a {FILES[kind][0]} file"
    raise ContextError(f"{path} is no cluster file of Batch AI's{what}")
