"""Facts about jobs' scripts from their syntax trees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from bai.linter.context import RuleContext
from bai.linter.facts.local_modules import local_modules
from bai.linter.facts.script_paths import is_no_script
from bai.linter.facts.scripts import Script, scripts
from bai.linter.python.results import Save, ScriptFacts, SyntaxProblem, Unexamined
from bai.linter.resource_view import ResourceView

_LINES: Final = 3
"""Of more lines than these the first two are named, and the rest counted."""


def problems(
    resource: ResourceView, context: RuleContext
) -> Iterator[tuple[Script, SyntaxProblem]]:
    """Iterate over the Python scripts that do not parse, and why."""
    for script, content, found in _examined(resource, context):
        if (
            isinstance(found, SyntaxProblem)
            and not _names_shell(content)
            and not is_no_script(script.resource, script.path)
        ):
            yield script, found


def shell_scripts(resource: ResourceView, context: RuleContext) -> Iterator[Script]:
    """Iterate over the scripts that Python is to run and whose first line names a shell."""
    for script, content, found in _examined(resource, context):
        if isinstance(found, SyntaxProblem) and _names_shell(content):
            yield script


def _names_shell(content: bytes) -> bool:
    first = content.partition(b"\n")[0]
    return re.match(rb"#!.*\b(?:ba|da|z|k)?sh\b", first) is not None and b"python" not in first


def all_facts(resource: ResourceView, context: RuleContext) -> Iterator[tuple[Script, ScriptFacts]]:
    """Iterate over all Python scripts that parse, with the facts about them."""
    for script, _, found in _examined(resource, context):
        if isinstance(found, ScriptFacts):
            yield script, found


def calls_in(script: Script, saves: Sequence[Save]) -> str:
    """Return a description of the calls and their lines in a script, in the order of the lines."""
    also = further_lines(save.line for save in saves)
    return f"{saves[0].call} on line {saves[0].line} of {script.name}{also}"


def further_lines(all_lines: Iterable[int]) -> str:
    """Return a description of the lines after the first, empty if there are none."""
    _, *lines = dict.fromkeys(map(str, all_lines))
    if not lines:
        return ""
    if len(lines) > _LINES:
        lines[2:] = [f"{len(lines) - 2} more"]
    *most, last = lines
    return f", also on lines {', '.join(most)} and {last}" if most else f", also on line {last}"


def is_uninitialised(script: Script, found: ScriptFacts, context: RuleContext) -> bool:
    """Return whether a script uses Horovod without any initialisation."""
    if found.horovod_line is None or found.initialises or context.files is None:
        return False
    return not local_modules(script, context.files).may_initialise


def initialised_beside(script: Script, context: RuleContext) -> bool:
    """Return whether a module that a script imports from its folder may initialise Horovod."""
    if context.files is None:
        return False
    return any(each.calls_init for each in local_modules(script, context.files).facts[1:])


def is_alone(job: ResourceView) -> bool:
    """Return whether a Horovod job is one process."""
    settings = job.mapping("properties", "horovodSettings")
    one_node = job.number("properties", "nodeCount") == 1
    return bool(settings) and one_node and settings.get("processCount") in (None, 1)


def in_shared_folders(script: Script, saves: Sequence[Save]) -> Sequence[Save]:
    """Return the saves that certainly go to a folder shared by all nodes."""
    job = script.resource
    words = job.text(*script.path) if script.inside else None
    words = words or job.text("properties", "horovodSettings", "commandLineArgs") or ""
    return [
        save
        for save in saves
        if save.shared or any(_is_given_mount(option, words) for option in save.options)
    ]


def _is_given_mount(option: str, words: str) -> bool:
    """Return whether a command line gives an option (`output_dir`) a path below a mount."""
    name = "[-_]".join(map(re.escape, option.split("_")))
    variable = r"AZ_BATCHAI_(?:(?:JOB_)?MOUNT_ROOT|OUTPUT_|INPUT_)"
    return re.search(rf"(?:^|\s)--?{name}(?:=|\s+)[\"']?\$\{{?{variable}", words) is not None


def _examined(
    resource: ResourceView, context: RuleContext
) -> Iterator[tuple[Script, bytes, ScriptFacts | SyntaxProblem | Unexamined]]:
    """Iterate over (script, content, facts) of the Python scripts that exist."""
    files = context.files
    if files is None:
        return
    from bai.linter.python.python_script import MAX_LENGTH

    for script in scripts(resource, context):
        content = files.read(script.file, MAX_LENGTH) if script.is_python else None
        if content is not None:
            yield script, content, _examine(content)


@lru_cache(maxsize=32)
def _examine(content: bytes) -> ScriptFacts | SyntaxProblem | Unexamined:
    # Several rules need the facts, and many jobs run the same script.
    from bai.linter.python.python_script import examine

    return examine(content)
