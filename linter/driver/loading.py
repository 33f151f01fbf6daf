"""Load specs that are to run, with the findings of `bai lint` for all other files."""

from __future__ import annotations

from bai.compiler.batchai.recognition import batchai_kind, is_spec
from bai.linter.driver.foreign_files import foreign_documents, other_language
from bai.specs.load import LoadResult, load_documents
from bai.specs.parameters.records import NOT_YET, GivenValues
from bai.specs.parsed_file import ParsedFile
from bai.specs.validation.kinds import batchai_file


def load_specs(file: ParsedFile, given: GivenValues = NOT_YET) -> LoadResult:
    """Return the specs of a file; all other documents in it are findings.

    Args:
        file: the file.
        given: values of the specs' parameters.
    """
    if finding := other_language(file):
        return LoadResult((), (finding,))
    specs = [document for document in file.documents if is_spec(document.data)]
    batchai = [batchai_file(each) for each in file.documents if batchai_kind(each.data)]
    errors = (*file.syntax_errors, *foreign_documents(file), *batchai)
    return load_documents(specs, errors, file.directory, given)
