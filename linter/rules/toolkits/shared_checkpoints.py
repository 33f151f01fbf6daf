"""BAI724: only one rank writes a checkpoint.

All ranks of a Horovod job have the same model. If each of them writes it to the same file of a
mount, they write into each other, and what is left can often not be loaded.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/saves.py"}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.script_facts import calls_in, facts, is_alone
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        if not found.saves or is_alone(script.resource):
            continue
        message = f"every rank calls {calls_in(script, found.saves)}"
        hint = _hint(found.saves[0].call)
        yield Violation(script.resource, script.path, message, hint, inside=script.inside)


def _hint(call: str) -> str:
    name = call.rpartition(".")[2]
    if name in {"MonitoredTrainingSession", "Estimator"}:
        key = "model_dir" if name == "Estimator" else "checkpoint_dir"
        return f"write {key}=FOLDER if hvd.rank() == 0 else None"
    if name in {"ModelCheckpoint", "CheckpointSaverHook"}:
        return f"make and add {name} under `if hvd.rank() == 0:`"
    return "save under `if hvd.rank() == 0:`"


RULE = Rule("BAI724", "a checkpoint that all ranks write", _check, Severity.WARNING, Stage.LINTING)
