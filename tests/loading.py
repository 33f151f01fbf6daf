"""Loading the specs of one file or text."""

import os

from bai.specs.load import LoadResult, load_documents
from bai.specs.parsed_file import ParsedFile, read_file

ONE_JOB = """\
apiVersion: bai/v1
kind: Experiment
metadata: {name: t}
spec:
  clusters: {c: {vmSize: STANDARD_D2_V2, scale: 1}}
  jobs:
    j:
"""
"""A spec up to its only job, whose keys may follow, indented by six."""

WITH_FOLDER = (
    ONE_JOB
    + """\
      nodeCount: 1
      mounts: {code: "file:."}
      logs: ${mounts.code}
"""
)
"""The same up to the toolkit, with the spec's folder as the mount `code`."""


def load_file(path: str | os.PathLike[str]) -> LoadResult:
    """Return the specs of a file, and what is wrong with it."""
    return _load(read_file(path))


def load_text(text: str | bytes, name: str, directory: str) -> LoadResult:
    """Return the specs of a text, and what is wrong with it."""
    return _load(ParsedFile(text, name, directory))


def _load(file: ParsedFile) -> LoadResult:
    return load_documents(file.documents, file.syntax_errors, file.directory)
