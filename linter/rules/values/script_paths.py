"""BAI325: `script` is the path of a Python script, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.script_paths import (
    AS_COMMAND,
    SCRIPT_KEY,
    is_no_script,
    may_be_no_script,
    no_script,
)
from bai.linter.facts.toolkits import toolkits
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Violation

_MOUNT: Final = r"\$AZ_BATCHAI_(?:JOB_)?MOUNT_ROOT/(\w[\w-]*)"


@context_rule("BAI325", Kind.JOB, Kind.CLUSTER)
def script_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    for toolkit, settings in toolkits(resource):
        text = settings.get(SCRIPT_KEY)
        if not isinstance(text, str) or not may_be_no_script(text):
            continue
        # Another interpreter may run other files.
        if settings.get("pythonInterpreterPath") is None and (found := no_script(text)):
            message, hint = found
            if resource.is_compiled:
                hint = re.sub(_MOUNT, r"${mounts.\1}", hint)
            else:
                hint = _as_in_files(hint.replace("under args", "under commandLineArgs"))
            yield Violation(("properties", toolkit, SCRIPT_KEY), message, hint)
    if context.files is not None and context.mounts_folders:
        yield from _shell_scripts(resource, context)


def _shell_scripts(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    from bai.linter.facts.script_facts import shell_scripts

    for script in shell_scripts(resource, context):
        if is_no_script(resource, script.path):
            continue
        message = f"{context.shown(script.file)} is a shell script, which Python can't run"
        hint = "call it with bash in the place of python"
        if script.inside is None:
            hint = AS_COMMAND if resource.is_compiled else _as_in_files(AS_COMMAND)
        yield Violation(script.place, message, hint)


def _as_in_files(hint: str) -> str:
    return hint.replace("custom: or customMpi:", "customToolkitSettings")
