"""BAI736: the names that a script uses from Horovod exist."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from bai.linter.context import RuleContext
from bai.linter.facts.script_facts import further_lines
from bai.linter.facts.scripts import Script
from bai.linter.python.results import BareUse, Misspelt, ScriptFacts
from bai.linter.rules.scripts.script_rule import Words, script_rule


@script_rule("BAI736", gang=False)
def absent_names(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.bare:
        yield _of_package(script, facts.bare)
    by_name: dict[str, list[Misspelt]] = {}
    for each in facts.misspelt:
        by_name.setdefault(each.name, []).append(each)
    for uses in by_name.values():
        yield _misspelt(script, uses)


def _of_package(script: Script, use: BareUse) -> Words:
    package, _, function = use.name.rpartition(".")
    name = posixpath.basename(script.file)
    message = f"{use.name} on line {use.line} of {name}: the package horovod has no {function}"
    example = use.part or "horovod.torch"
    written = f"import {example} as {'hvd' if package == 'horovod' else package}"
    hint = f"write {written}" if use.part else f"import a framework's part: {written}"
    if package == "horovod":
        hint += f", and hvd.{function}"
    return message, hint


def _misspelt(script: Script, uses: list[Misspelt]) -> Words:
    line, written, package, meant = uses[0]
    also = further_lines(line, (use.line for use in uses))
    place = f"{written} on line {line} of {posixpath.basename(script.file)}{also}"
    if package is None:
        lacks = f"there is no package {written.partition('.')[0]}"
    else:
        lacks = f"{package} has no {written.rpartition('.')[2]}"
    hint = f"did you mean {meant}?"
    message = f"{place}: {lacks}"
    return message, hint
