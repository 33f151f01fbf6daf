"""Batch AI's own files, turned into a spec."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from bai.arguments import expect, expect_path
from bai.compiler.importer.importer import ImportResult, import_files
from bai.compiler.importer.names import ImportNames
from bai.linter.import_review import ImportReview
from bai.specs.document import Document
from bai.specs.findings import Finding
from bai.specs.syntax.reader import read


def import_(*files: str | os.PathLike[str], names: ImportNames | None = None) -> ImportResult:
    """Turn job.json, cluster.json and file server files into one compact spec.

    Args:
        *files: what to import, in any order; at least one.
        names: names that are not in the files; by default those of the files or their folders.

    Returns:
        The spec in text, and what is wrong with the files or could not be kept.

    Raises:
        OSError: a file can't be read.
        TypeError: there is no file, or something is no path.
    """
    if not files:
        raise TypeError("there is nothing to import: give the path of a job.json, for example")
    for file in files:
        expect_path(file, "bai.import_(*paths)")
    if names is not None:
        expect(names, ImportNames, "names must be an ImportNames")
    documents: list[Document] = []
    findings: list[Finding] = []
    for file in files:
        found, wrong = read(Path(file).read_bytes(), os.fspath(file))
        documents += found
        findings += wrong
    result = import_files(documents, names or ImportNames(), ImportReview(), str(Path.cwd()))
    return replace(result, findings=(*findings, *result.findings))
