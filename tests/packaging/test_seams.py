"""The faces know jobs, directories and addresses: what keeps them is the provider's own."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FACES = ("api", "cli", "lsp")
BEHIND = (
    "bai.runtime.engines",
    "bai.runtime.jobs.paths",
    "bai.runtime.node",
    "bai.runtime.provider.embedded",
    "bai.runtime.provider.store",
    "bai.runtime.supervisor",
)
"""What stands behind the interfaces of a provider and of its files."""


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the full names of all that is imported."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from (f"{module}.{alias.name}" for alias in names)


def is_behind(name: str) -> bool:
    return any(f"{name}.".startswith(f"{place}.") for place in BEHIND)


@pytest.mark.parametrize("room", FACES)
def test_a_face_imports_only_interfaces(room):
    stray = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted((ROOT / room).rglob("*.py"))
        for name in imported(ast.parse(path.read_bytes()))
        if is_behind(name)
    ]
    assert stray == []


def test_what_stands_behind_is_there():
    paths = [ROOT / place.removeprefix("bai.").replace(".", "/") for place in BEHIND]
    assert [
        path for path in paths if not (path.is_dir() or path.with_suffix(".py").is_file())
    ] == []


def test_imports_in_any_place_and_form_are_found():
    text = "def f():\n    from bai.runtime.jobs import paths\nimport bai.runtime.node.cores as c\n"
    found = set(filter(is_behind, imported(ast.parse(text))))
    assert found == {"bai.runtime.jobs.paths", "bai.runtime.node.cores"}
    assert not is_behind("bai.runtime.jobs.paths_of_others")
