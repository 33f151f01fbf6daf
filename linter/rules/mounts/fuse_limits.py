"""BAI522: a job asks of a container that FUSE shows only what that can do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.fuse_folders import fuse_folders, mount_at
from bai.linter.facts.script_facts import all_facts
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import context_rule
from bai.linter.violation import Range, Violation

_HINT: Final = 'do it in $AZ_BATCHAI_JOB_TEMP; or write mount = "copy" for the account in bai.toml'


@context_rule("BAI522", Kind.JOB)
def fuse_limits(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    folders = fuse_folders(job, context)
    if not folders:
        return
    from bai.linter.shell.file_demands import demands

    for path, text in command_lines(job):
        for demand in demands(text):
            if mount := mount_at(folders, demand.target):
                place = Range(path, demand.start, demand.end)
                yield Violation(place, _message(mount, demand.what), _HINT)
    for script, facts in all_facts(job, context):
        for call in facts.links:
            if mount := mount_at(folders, call.path):
                begin = f"{call.call} on line {call.line} of {script.name}: "
                yield Violation(script.place, begin + _message(mount, call.what), _HINT)


def _message(mount: str, what: str) -> str:
    return f"the mount {mount!r} is a container that rclone shows, which has no {what}"
