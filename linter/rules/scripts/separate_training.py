"""Rules about scripts in which every process of a Horovod job trains for itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.context import RuleContext
from bai.linter.facts.local_modules import local_modules
from bai.linter.facts.scripts import Script
from bai.linter.python.results import ScriptFacts
from bai.linter.rules.scripts.script_rule import Words, script_rule

_TAPE: Final = "write tape = hvd.DistributedGradientTape(tape) before tape.gradient"
_OPTIMIZER: Final = "write optimizer = hvd.DistributedOptimizer(optimizer), and train with that"


@script_rule("BAI735", several=True)
def separate_training(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    """The processes of a Horovod job train one model."""
    if facts.dropped:
        call, line = facts.dropped.call, facts.dropped.line
        message = f"nothing uses what {call} returns on line {line} of {script.name}"
        yield message, _TAPE if call.endswith("Tape") else _OPTIMIZER
    step = facts.separate
    if step is None or context.files is None:
        return
    modules = local_modules(script, context.files)
    if modules.complete and not any(each.coordinates for each in modules.facts[1:]):
        step_of = f"{step.call} on line {step.line} of {script.name}"
        message = f"every process trains a model of its own with {step_of}"
        yield message, _TAPE if step.by_tape else _OPTIMIZER


@script_rule("BAI730", several=True)
def without_horovod(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    """A script of the Horovod toolkit uses Horovod."""
    settings = script.resource.mapping("properties", "horovodSettings")
    if (
        context.files is None
        or facts.mentions_horovod
        or script.inside is not None
        or "horovod" in str(settings.get("commandLineArgs")).lower()
    ):
        return
    modules = local_modules(script, context.files)
    if (
        modules.complete
        and not any(each.coordinates for each in modules.facts)
        and any(each.trains for each in modules.facts)
        and any(each.has_framework for each in modules.facts)
    ):
        message = f"{script.name} trains without Horovod, so that every process trains for itself"
        yield message, "use Horovod in it, or another toolkit"
