"""Loading specs from files and texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bai.arguments import expect, expect_path
from bai.experiment import Experiment
from bai.linter.driver.discovery import SUFFIXES, specs_in
from bai.runtime.context import select
from bai.runtime.errors import MissingFileError
from bai.specs.findings import FindingsError
from bai.specs.names import nearest
from bai.specs.parameters.given import from_python
from bai.specs.parsed_file import ParsedFile, read_file
from bai.specs.validation.kinds import API_VERSION

_ALIKE = 0.7
"""How alike two names of files are if one is misspelt: more than by their `.yaml`."""


def load(
    path: str | os.PathLike[str],
    *more: str | os.PathLike[str],
    context: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Experiment:
    """Load a spec's file, or several. `lint` returns what is wrong in it, `apply` raises it.

    A folder stands for the specs that are right in it.

    Args:
        path: the file.
        *more: further files.
        context: name of the context; by default the current one.
        parameters: values of the specs' parameters, by their names: `{"lr": 0.01}`.

    Raises:
        MissingFileError: there is no such file, or no spec in such a folder.
        FindingsError: a file can't be read.
        ContextError: there is no such context.
        TypeError: something is no path, or no value of a parameter.
    """
    for each in (path, *more):
        expect_path(each, "bai.load(*paths)")
        if isinstance(each, str) and "\n" in each:
            raise MissingFileError("a path has no lines: bai.loads takes the text of a spec")
        # Path's own raises where a folder can't be entered.
        if not os.path.exists(each):  # noqa: PTH110
            raise MissingFileError(_no_file(Path(each)))
    files = read_specs((path, *more))
    if unreadable := [file.unreadable for file in files if file.unreadable]:
        raise FindingsError(unreadable)
    return Experiment(files, select(context, Path.cwd()), from_python(parameters or {}))


def read_specs(paths: Iterable[str | os.PathLike[str]]) -> list[ParsedFile]:
    """Read files, and in the place of each folder the specs that are right in it; each once.

    Raises:
        MissingFileError: a folder has no spec.
    """
    found: dict[str, ParsedFile] = {}
    for path in paths:
        name = os.fspath(path)
        if os.path.isdir(name):  # noqa: PTH112
            files = specs_in(name)
            if not files:
                *most, last = SUFFIXES
                raise MissingFileError(
                    f"there is no spec in the folder {name}: a spec is a file in it, not in a "
                    f"folder below it, that ends in {', '.join(most)} or {last} and has "
                    f"apiVersion: {API_VERSION}"
                )
        else:
            files = [read_file(name)]
        for file in files:
            found.setdefault(os.path.normpath(file.name), file)
    return list(found.values())


def _no_file(path: Path) -> str:
    """Return the sentence for a file that is not there, with the one that is and most like it."""
    where = "" if path.is_absolute() else f" in {Path.cwd()}"
    try:
        near = nearest(path.name, (each.name for each in path.parent.iterdir()), cutoff=_ALIKE)
    except OSError:
        near = None
    return f"there is no file {path}{where}" + (f" (did you mean {near}?)" if near else "")


def loads(
    text: str, context: str | None = None, parameters: Mapping[str, Any] | None = None
) -> Experiment:
    """Load a spec from a string; its relative paths start from the working directory.

    Args:
        text: the spec.
        context: name of the context; by default the current one.
        parameters: values of the spec's parameters, by their names.

    Raises:
        ContextError: there is no such context.
        TypeError: it is no string, or something is no value of a parameter.
    """
    expect(text, str, "text must be a str", "bai.load takes the path of a file")
    folder = Path.cwd()
    file = ParsedFile(text, "<string>", str(folder))
    return Experiment([file], select(context, folder), from_python(parameters or {}))
