"""Rules about a script's use of Horovod: init, ranks, collectives, names, files, or none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.linter.context import RuleContext
from bai.linter.facts.local_modules import local_modules
from bai.linter.facts.script_facts import (
    calls_in,
    further_lines,
    in_shared_folders,
    initialised_beside,
    is_uninitialised,
)
from bai.linter.facts.scripts import Script
from bai.linter.python.results import BareUse, Misspelt, ScriptFacts
from bai.linter.rules.scripts.script_rule import Words, script_rule


@script_rule("BAI723")
def init_never_called(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.uncalled_init is None and is_uninitialised(script, facts, context):
        yield (
            f"{script.name} imports Horovod on line {facts.horovod_line} and never calls init()",
            "call hvd.init() before anything else of Horovod",
        )


@script_rule("BAI724", several=True)
def every_rank_saves(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.saves:
        yield f"every rank calls {calls_in(script, facts.saves)}", _way_to_save(facts.saves[0].call)


def _way_to_save(call: str) -> str:
    name = call.rpartition(".")[2]
    if name in {"MonitoredTrainingSession", "Estimator"}:
        key = "model_dir" if name == "Estimator" else "checkpoint_dir"
        return f"write {key}=FOLDER if hvd.rank() == 0 else None"
    if name in {"ModelCheckpoint", "CheckpointSaverHook"}:
        return f"make and add {name} under `if hvd.rank() == 0:`"
    return "save under `if hvd.rank() == 0:`"


@script_rule("BAI726")
def init_not_called(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.uncalled_init is not None and is_uninitialised(script, facts, context):
        line = facts.uncalled_init
        yield f"line {line} of {script.name} names init without calling it", "write init()"


@script_rule("BAI727")
def use_before_init(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if (early := facts.early) and not initialised_beside(script, context):
        yield (
            f"{early.name}() on line {early.line} of {script.name} runs before init()",
            f"call init() first: before it, {early.name}() fails",
        )


@script_rule("BAI728")
def every_node_saves(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    nodes = script.resource.number("properties", "nodeCount") or 1
    if facts.node_saves and nodes > 1 and (saves := in_shared_folders(script, facts.node_saves)):
        yield (
            f"a rank on each of the {nodes} nodes calls {calls_in(script, saves)}",
            "ask for hvd.rank() == 0; local_rank() is 0 once on every node",
        )


@script_rule("BAI729", several=True)
def every_rank_writes(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.writes and (writes := in_shared_folders(script, facts.writes)):
        yield (
            f"every rank writes the same file: {calls_in(script, writes)}",
            "write under `if hvd.rank() == 0:`, or put the rank into the file's name",
        )


@script_rule("BAI731")
def rank_not_called(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.uncalled:
        first = facts.uncalled[0]
        also = further_lines(each.line for each in facts.uncalled)
        yield (
            f"line {first.line} of {script.name} uses {first.name} without calling it{also}",
            f"write {first.name}()",
        )


@script_rule("BAI732", several=True)
def collective_of_some(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.partial_collectives:
        first = facts.partial_collectives[0]
        also = further_lines(each.line for each in facts.partial_collectives)
        ranks = "only rank 0 calls" if first.by_first else "all ranks but the first call"
        yield (
            f"{ranks} {first.call} on line {first.line} of {script.name}{also}",
            f"call it on all ranks: {first.collective}() needs every one of them",
        )


@script_rule("BAI733", several=True)
def others_save(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.other_saves:
        yield (
            f"all ranks but the first call {calls_in(script, facts.other_saves)}",
            "save under `if hvd.rank() == 0:`",
        )


@script_rule("BAI746")
def same_on_all_ranks(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    for line, written, holds, hint in facts.constant:
        place = f"line {line} of {script.name}"
        yield f"{written} on {place} {'always' if holds else 'never'} holds", hint


@script_rule("BAI736", gang=False)
def absent_names(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    """The names that a script uses from Horovod exist."""
    if facts.bare:
        yield _of_package(script, facts.bare)
    by_name: dict[str, list[Misspelt]] = {}
    for each in facts.misspelt:
        by_name.setdefault(each.name, []).append(each)
    for uses in by_name.values():
        yield _misspelt(script, uses)


def _of_package(script: Script, use: BareUse) -> Words:
    package, _, function = use.name.rpartition(".")
    place = f"{use.name} on line {use.line} of {script.name}"
    message = f"{place}: the package horovod has no {function}"
    example = use.part or "horovod.torch"
    written = f"import {example} as {'hvd' if package == 'horovod' else package}"
    hint = f"write {written}" if use.part else f"import a framework's part: {written}"
    if package == "horovod":
        hint += f", and hvd.{function}"
    return message, hint


def _misspelt(script: Script, uses: list[Misspelt]) -> Words:
    line, written, package, meant = uses[0]
    also = further_lines(use.line for use in uses)
    place = f"{written} on line {line} of {script.name}{also}"
    if package is None:
        lacks = f"there is no package {written.partition('.')[0]}"
    else:
        lacks = f"{package} has no {written.rpartition('.')[2]}"
    return f"{place}: {lacks}", f"did you mean {meant}?"


_TAPE: Final = "write tape = hvd.DistributedGradientTape(tape) before tape.gradient"
_OPTIMIZER: Final = "write optimizer = hvd.DistributedOptimizer(optimizer), and train with that"


@script_rule("BAI735", several=True)
def separate_training(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    """The processes of a Horovod job train one model."""
    if facts.dropped:
        call, line = facts.dropped.name, facts.dropped.line
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
