"""Compiling as `bai compile` does: the passes, then the linter's check."""

from bai.compiler import compile as compiler
from bai.compiler.compilation import Compilation, Defaults
from bai.compiler.resources.code import CodeFolders
from bai.linter.check import check
from bai.linter.import_review import ImportReview
from bai.specs.load import LoadedSpec


def compile_specs(
    specs: list[LoadedSpec], defaults: Defaults, code_folders: CodeFolders | None = None
) -> list[Compilation]:
    """Return the compilations of specs that belong together, with all their findings."""
    return check(specs, compiler.compile_specs(specs, defaults, code_folders))


def compile_spec(spec: LoadedSpec, defaults: Defaults) -> Compilation:
    """Return the compilation of a spec, with all its findings."""
    [compilation] = compile_specs([spec], defaults)
    return compilation


review = ImportReview()
"""What `bai import` asks the linter."""
