"""Loading specs from files and texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from bai.spec_documents import Document

_ALIKE = 0.7
"""How alike two names of files are if one is misspelt: more than by their `.yaml`."""


def load(
    path: str | os.PathLike[str] | Document,
    *more: str | os.PathLike[str] | Document,
    context: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Experiment:
    """Load a spec's file, or several. `lint` returns what is wrong in it, `apply` raises it.

    A folder stands for the specs that are right in it. A spec of `bai.spec` is loaded as the text
    that its `to_yaml` returns, which findings call `<spec>`; its later changes are not seen.

    Args:
        path: the file, or the spec in Python.
        *more: further ones.
        context: name of the context; by default the current one.
        parameters: values of the specs' parameters, by their names: `{"lr": 0.01}`.

    Raises:
        MissingFileError: there is no such file, or no spec in such a folder.
        FindingsError: a file can't be read.
        ContextError: there is no such context.
        TypeError: something is no path, or no value of a parameter.
        ValueError: a spec in Python has a number that is not finite, or a secret in plain text.
    """
    for each in (path, *more):
        if _is_in_python(each):
            continue
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


def _is_in_python(value: object) -> TypeIs[Document]:
    """Return whether a value is a spec of `bai.spec`."""
    if isinstance(value, (str, os.PathLike)):
        return False
    # Imported here because commands have paths only, and start-up time counts for them.
    from bai.spec_documents import Document

    return isinstance(value, Document)


def read_specs(paths: Iterable[str | os.PathLike[str] | Document]) -> list[ParsedFile]:
    """Read files, and in the place of each folder the specs that are right in it; each once.

    Raises:
        MissingFileError: a folder has no spec.
    """
    found: dict[str, ParsedFile] = {}
    names = chain(["<spec>"], map("<spec {}>".format, count(2)))
    for path in paths:
        if _is_in_python(path):
            file = path.parsed(next(names))
            found[file.name] = file
            continue
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
