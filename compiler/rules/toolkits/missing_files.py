"""BAI721: a script or config file in a mounted folder of this machine is there.

The folder is here, so that what is missing in it now is missing on the node as well, unless the
job brings it: where the preparation, or what stands before the script in its command line, leads to
the mount, also by an input, an output or a variable, the job is left alone. Folders that this
machine does not have are those of another one, and not looked into. Whether a file is on a share,
only the plan knows (BAI405). A comment that suppresses this does so for a plan as well.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/trian.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from bai.compiler.rules.command_lines import command_lines
from bai.compiler.rules.rule import Complaint, Rule, Stage
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.values.script_paths import is_told
from bai.specs.names import nearest

if TYPE_CHECKING:
    from bai.compiler.rules.machine import Files
    from bai.compiler.rules.scripts import Script


def _check(subjects: Subjects) -> Iterator[Complaint]:
    files = subjects.files
    if files is None:
        return
    for script in subjects.scripts:
        if files.names(script.folder) is None or files.exists(script.file):
            continue
        if is_told(script.subject, script.path):
            continue
        if not _may_be_made(subjects, script):
            message = f"there is no {script.what} {subjects.shown(script.file)}"
            hint = _hint(files, script)
            yield Complaint(script.subject, script.path, message, hint, inside=script.inside)


def _may_be_made(subjects: Subjects, script: Script) -> bool:
    """Return whether a command that runs before the script may put it there."""
    holders = [script.subject]
    if cluster := subjects.cluster_of(script.subject):
        holders.append(cluster)
    texts = [
        text if path != script.path else text[: script.inside[0]] if script.inside else ""
        for holder in holders
        for path, text in command_lines(holder)
    ]
    texts = [plain for text in texts if "$" in (plain := _plain(text))]
    return bool(texts) and any(way.search(text) for way in _ways(script) for text in texts)


def _ways(script: Script) -> Iterator[re.Pattern[str]]:
    """Iterate over what leads to a script's mount: its path, its root, and names for it."""
    yield re.compile(re.escape(script.mount))
    root = script.mount.split("/")[0]
    # `cd $AZ_BATCHAI_JOB_MOUNT_ROOT` leads to all of them.
    yield re.compile(re.escape(root) + r"(?!\w|/[\w.-])")
    job = script.subject
    for key, word in ("inputDirectories", "INPUT"), ("outputDirectories", "OUTPUT"):
        for _, entry in job.entries("properties", key):
            path = entry.get("path", entry.get("pathPrefix"))
            yield from _way(f"AZ_BATCHAI_{word}_{entry.get('id')}", path, script)
    for _, entry in job.entries("properties", "environmentVariables"):
        yield from _way(entry.get("name"), entry.get("value"), script)


def _way(name: object, value: object, script: Script) -> Iterator[re.Pattern[str]]:
    """Iterate over what leads to a script's mount by a variable, if its value does."""
    if isinstance(value, str) and script.mount in _plain(value):
        yield re.compile(rf"\${re.escape(str(name))}(?!\w)")


def _plain(text: str) -> str:
    return text.replace("{", "").replace("}", "")


def _hint(files: Files, script: Script) -> str:
    folder, name = posixpath.split(script.file)
    while (names := files.names(folder)) is None and folder != script.folder:
        folder, name = posixpath.split(folder)
    # Names that have little more in common than `.py` are not alike.
    if near := nearest(name, names or (), cutoff=0.7):
        return f"did you mean {near}?"
    return "put it there, or mend the path or the mount"


RULE = Rule(
    "BAI721", "a script that is missing from its mounted folder", _check, stage=Stage.LOOKING
)
