"""Rules about the paths of scripts: each leads to a Python script, wherever a process starts."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from bai.compiler.resources.binds import mounted_path_hint
from bai.compiler.resources.ids import Kind
from bai.linter.context import RuleContext
from bai.linter.facts.command_lines import command_lines
from bai.linter.facts.script_paths import (
    AS_COMMAND,
    SCRIPT_KEY,
    is_no_script,
    may_be_no_script,
    no_script,
)
from bai.linter.facts.toolkits import toolkits
from bai.linter.facts.volumes import bound_folders
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import Form, context_rule
from bai.linter.violation import Place, Range, Violation

if TYPE_CHECKING:
    from bai.linter.host import Files

_MOUNT: Final = r"\$AZ_BATCHAI_(?:JOB_)?MOUNT_ROOT/(\w[\w-]*)"


@context_rule("BAI325", Kind.JOB, Kind.CLUSTER, accepts={SCRIPT_KEY: {"pattern": r"^[^ ]+\.py$"}})
def script_paths(resource: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """`script` is the path of a Python script, and nothing else."""
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


_KEYS: Final = {"pythonScriptFilePath": "script", "configFilePath": "config file"}
"""Wire key of a path -> what the file is called."""


@context_rule("BAI710", Kind.JOB, form=Form.SPEC)
def relative_scripts(job: ResourceView, context: RuleContext) -> Iterator[Violation]:
    """A script is named by a path that leads somewhere."""
    # In Batch AI's own files, a relative path may be meant for any folder.
    if job.get("properties", "containerSettings") or job.code:
        return
    preparation = job.text("properties", "jobPreparation", "commandLine")
    if not job.get("properties", "jobPreparation"):
        for toolkit, settings in toolkits(job):
            for key, what in _KEYS.items():
                text = settings.get(key)
                if isinstance(text, str) and _is_relative(text):
                    yield _violation(job, ("properties", toolkit, key), what, text)
    if context.files and context.directory:
        from bai.linter.facts.made_files import makes_nothing

        if not preparation or makes_nothing(preparation):
            yield from _in_commands(job, context.files, context.directory)


def _in_commands(job: ResourceView, files: Files, directory: str) -> Iterator[Violation]:
    # Imported here, as above, since Batch AI's own files do not need it.
    from bai.linter.facts.relative_scripts import relative_script

    for path, text in command_lines(job):
        script = None if "jobPreparation" in path else relative_script(text)
        if script and files.exists(posixpath.join(directory, script.value)):
            yield _violation(job, Range(path, script.start, script.end), "script", script.value)


def _violation(job: ResourceView, place: Place, what: str, text: str) -> Violation:
    message = f"{what} {text!r} is a relative path, and processes start in an empty directory"
    mounts = [path for path, _ in bound_folders(job)]
    return Violation(place, message, mounted_path_hint(text, mounts))


def _is_relative(text: str) -> bool:
    """Return whether a path is relative, and to the directory in which a process starts."""
    # `{mounts.code}/train.py` lacks a dollar, which another rule reports.
    return (
        not text.startswith(("/", "-", "~", "..", "{")) and "$" not in text and text.strip() != ""
    )
