"""BAI730: a script that the Horovod toolkit runs uses Horovod.

The toolkit starts the script as many times as the job has processes, and does no more: it is
Horovod in the script that makes them train one model. Without it each process trains a model of its
own on all of the data, which costs as much and gains nothing.

This is told of a script that trains with PyTorch, TensorFlow, Keras or MXNet, if neither it nor any
module that it imports from its mounted folder has to do with other processes. Where a module can't
be found there and is none of the best known packages, nothing is told.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        horovod: {script: "${mounts.code}/alone.py"}

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

import posixpath
from collections.abc import Iterator

from bai.linter.facts.script_facts import facts, is_alone
from bai.linter.resource_view import RuleContext
from bai.linter.rules.rule import Rule, Stage, Violation
from bai.specs.findings import Severity


def _check(context: RuleContext) -> Iterator[Violation]:
    for script, found in facts(context):
        settings = script.resource.mapping("properties", "horovodSettings")
        if (
            context.files is None
            or found.mentions_horovod
            or script.inside is not None
            or "horovod" in str(settings.get("commandLineArgs")).lower()
            or is_alone(script.resource)
        ):
            continue
        from bai.linter.facts.local_modules import local_modules

        modules = local_modules(script, context.files)
        if (
            modules.complete
            and not any(each.coordinates for each in modules.facts)
            and any(each.trains for each in modules.facts)
            and any(each.has_framework for each in modules.facts)
        ):
            name = posixpath.basename(script.file)
            message = f"{name} trains without Horovod, so that every process trains for itself"
            hint = "use Horovod in it, or another toolkit"
            yield Violation(script.resource, script.path, message, hint, inside=script.inside)


RULE = Rule("BAI730", "a Horovod job without Horovod", _check, Severity.WARNING, Stage.LINTING)
