"""BAI730: a script of the Horovod toolkit uses Horovod."""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.context import RuleContext
from bai.linter.facts.local_modules import local_modules
from bai.linter.facts.scripts import Script
from bai.linter.python.results import ScriptFacts
from bai.linter.rules.scripts.script_rule import Words, script_rule


@script_rule("BAI730", several=True)
def without_horovod(script: Script, facts: ScriptFacts, context: RuleContext) -> Iterator[Words]:
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
