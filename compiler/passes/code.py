"""The code of a job: a snapshot of a folder, mounted from the share `code`."""

from __future__ import annotations

import posixpath
from typing import Any

from bai.compiler.passes.own_shares import mount_share
from bai.compiler.passes.scope import Scope
from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.code import Code
from bai.compiler.resources.reserved import CODE_SHARE
from bai.specs.findings import Path
from bai.specs.models.job import Job


def code_of(scope: Scope, job: Job, at: Path) -> Code | None:
    """Return the code of a job at a place of the document; None if it has none.

    What keeps its folder from being taken is reported.
    """
    if job.code is None:
        return None
    folder = scope.absolute(job.code)
    code = scope.code_folders.find(folder) if scope.code_folders else Code(folder)
    for problem in code.problems:
        span = scope.span((*at, "code"))
        scope.report(problem.code, problem.message, span, problem.hint)
    return code


def lower_code(builder: WireBuilder, code: Code, job: Job, at: Path) -> None:
    """Mount the share of snapshots, and put the variable that leads to the job's.

    Args:
        builder: the job's, whose own mounts are there already.
        code: the job's code.
        job: the job.
        at: its place in the document.
    """
    source = (*at, "code")
    mount_share(builder, CODE_SHARE, job.mounts, source)
    variable = builder.item(("properties", "environmentVariables"), source)
    builder.mark(variable, source)
    for key, value in code.variable.items():
        builder.set((*variable, key), value, None)


def in_code(scope: Scope, code: Code | None, path: Any, source: Path) -> Any:
    """Return the path of a file of the toolkit: in the job's code, if it is relative.

    Args:
        scope: the job's.
        code: its code, if it has any.
        path: the path, with references expanded.
        source: its place in the document.
    """
    if code is None or not isinstance(path, str) or path.startswith(("/", "$", "~")):
        return path
    inside = posixpath.normpath(path)
    if inside.split("/")[0] == "..":
        message = f"{path} leads out of the job's code, {code.folder}"
        hint = "write a path from the folder that code names"
        scope.report("BAI515", message, scope.span(source), hint)
    elif scope.code_folders and scope.code_folders.leaves_out(code.folder, inside):
        message = f"{inside} is left out of the job's code"
        hint = "take it out of .gitignore, or write `!NAME` into .baiignore"
        scope.report("BAI520", message, scope.span(source), hint)
    return f"{code.path}/{inside}"
