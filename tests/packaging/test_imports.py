"""What imports what, beside the contracts of import-linter in pyproject.toml (`make check`)."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("cli", "compiler", "linter", "lsp", "runtime", "schemas", "specs")


@pytest.fixture(scope="module")
def imports():
    """Module -> the modules that it imports, in functions and under TYPE_CHECKING as well."""
    import grimp

    graph = grimp.build_graph("bai", cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def test_all_modules_are_looked_at(imports):
    # Folders are mapped to packages: a set-up that hides some would leave the contracts nothing.
    api = (path.relative_to(ROOT / "api") for path in (ROOT / "api").rglob("*.py"))
    found = {".".join(("bai", *path.with_suffix("").parts)) for path in api}
    for path in (path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        if path.parents[1] != ROOT / "cli/templates":  # files that `bai init` writes
            found.add(".".join(("bai", *path.relative_to(ROOT).with_suffix("").parts)))
    assert set(imports) == {module.removesuffix(".__init__") for module in found}


def test_no_modules_import_each_other_in_a_circle(imports):
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))
