"""BAI729: ranks do not overwrite each other's files.

What all ranks open for writing under one name on a shared folder, each of them empties and fills,
and what is left is a mixture. This is told only where the path surely is the same for all ranks and
lies below a mount, an output directory or an input directory, by the service's variables or an
argument that the job gives. Names with the rank in them, temporary files, files that are appended
to, and writing under a lock or a question whether the file exists are left alone. Checkpoints have
a finding of their own (BAI724).

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        outputs: {RESULTS: "${mounts.data}"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/writes.py"}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        outputs: {RESULTS: "${mounts.data}"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/writes_by_rank.py"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.script_facts import calls_in, facts, in_shared_folders, is_alone
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if not found.writes or is_alone(script.resource):
            continue
        if writes := in_shared_folders(script, found.writes):
            message = f"every rank writes the same file: {calls_in(script, writes)}"
            hint = "write under `if hvd.rank() == 0:`, or put the rank into the file's name"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI729", "a file that all ranks write", _check, Severity.WARNING, Stage.LINTING)
