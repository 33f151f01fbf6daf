"""BAI737: the script of a job does something."""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.context import RuleContext
from bai.linter.facts.scripts import Script
from bai.linter.python.results import ScriptFacts
from bai.linter.rules.scripts.script_rule import Words, script_rule


@script_rule("BAI737", gang=False)
def does_nothing(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
    if facts.is_empty:
        yield (
            f"{script.name} is empty: the job would do nothing",
            f"save the script in {context.shown(script.file)}",
        )
    elif line := facts.uncalled_main:
        yield (
            f"{script.name} defines main on line {line} and never calls it: it does nothing",
            'end it with `if __name__ == "__main__": main()`',
        )
