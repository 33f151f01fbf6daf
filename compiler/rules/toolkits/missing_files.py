"""BAI721: a script or config file in a mounted folder of this machine is there.

The folder is here, so that what is missing in it now is missing on the node as well, unless the
preparation brings it: a job whose preparation names the mount is left alone. Folders that this
machine does not have are those of another one, and not looked into. Whether a file is on a share,
only the plan knows (BAI405).

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/trian.py"}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py"}
"""

from __future__ import annotations

import posixpath
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
    """Return whether another command line than the script's own has to do with its mount."""
    holders = [script.subject]
    if cluster := subjects.cluster_of(script.subject):
        holders.append(cluster)
    return any(
        script.mount in text.replace("{", "").replace("}", "")
        for holder in holders
        for path, text in command_lines(holder)
        if path != script.path
    )


def _hint(files: Files, script: Script) -> str:
    folder, name = posixpath.split(script.file)
    while (names := files.names(folder)) is None and folder != script.folder:
        folder, name = posixpath.split(folder)
    if near := nearest(name, names or ()):
        return f"did you mean {near}?"
    return "put it there, or mend the path or the mount"


RULE = Rule(
    "BAI721", "a script that is missing from its mounted folder", _check, stage=Stage.LINTING
)
