"""BAI744: an input in a mounted folder of this machine is there.

What `inputs` names is read by the job. The folder is here, so that what is missing in it now is
missing on the node as well, unless the preparation brings it: a job with a command line that names
the mount or the input is left alone, and so are folders that this machine does not have.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    inputs: {WORDS: "${mounts.code}/wrods"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    inputs: {WORDS: "${mounts.code}/words"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.compiler.rules.command_lines import command_lines
from bai.compiler.rules.made_files import may_be_made
from bai.compiler.rules.rule import Complaint, Rule, Stage
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.toolkits.missing_files import nearest_file
from bai.specs.findings import Severity


def _check(subjects: Subjects) -> Iterator[Complaint]:
    files = subjects.files
    if files is None:
        return
    for one in subjects.inputs:
        if files.names(one.folder) is None or files.exists(one.file):
            continue
        uses = (text for _, text in command_lines(one.subject))
        if any(f"AZ_BATCHAI_INPUT_{one.id}" in text for text in uses):
            continue  # whatever uses it may make it first
        if not may_be_made(subjects, one):
            message = f"there is no {subjects.shown(one.file)} for the input {one.id}"
            yield Complaint(one.subject, one.path, message, nearest_file(files, one))


RULE = Rule(
    "BAI744",
    "an input that is missing from its mounted folder",
    _check,
    Severity.WARNING,
    Stage.LINTING,
)
