"""Process ids and signals are for nodes and supervisors: all else knows jobs and ranks."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("api", "cli", "compiler", "linter", "lsp", "runtime", "schemas", "specs")
ALLOWED = (
    "runtime/guarding.py",
    "runtime/node/",
    "runtime/supervisor/",
    # A mount of real storage is a process of its node.
    "runtime/mounts/",
    # Ends bai itself as Ctrl-C does.
    "cli/interrupts.py",
    # Ends its own workers when a lint is interrupted.
    "linter/driver/workers.py",
)
CALLS = re.compile(
    r"(?:get|set)(?:pid|ppid|pgid|pgrp|sid)|kill|killpg|fork|forkpty|pidfd_\w+|posix_spawn\w*"
    r"|spawn\w+|wait[34]?|waitpid|waitid"
)
"""The functions of `os` that answer or take process ids."""
MODULES = {"multiprocessing", "psutil", "signal"}
NAMES = re.compile(r"(?:\w+_)?pids?(?:_\w+)?")


def uses(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and words of all that has to do with process ids."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found = [alias.name for alias in names if alias.name.split(".")[0] in MODULES]
            case ast.ImportFrom(module="os", names=names):
                found = [alias.name for alias in names if CALLS.fullmatch(alias.name)]
            case ast.ImportFrom(module=str(module)):
                found = [module] if module.split(".")[0] in MODULES else []
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if CALLS.fullmatch(name):
                found = [f"os.{name}"]
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.arg(arg=name):
                found = [name] if NAMES.fullmatch(name) else []
            case ast.Constant(value=str(text)):
                found = [text] if text.startswith("/proc") else []
            case _:
                found = []
        for words in found:
            yield getattr(node, "lineno", 0), words


@pytest.fixture(scope="module")
def used() -> list[tuple[str, int, str]]:
    """File, line and words of all uses in the package."""
    return [
        (path.relative_to(ROOT).as_posix(), line, words)
        for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
        for line, words in uses(ast.parse(path.read_bytes()))
    ]


def test_only_what_runs_processes_knows_their_ids(used):
    stray = [
        f"{file}:{line}: {words}" for file, line, words in used if not file.startswith(ALLOWED)
    ]
    assert stray == []


def test_no_place_is_allowed_that_knows_none(used):
    files = {file for file, _, _ in used}
    assert [place for place in ALLOWED if not any(file.startswith(place) for file in files)] == []
