"""Whole specs in Python: as YAML, to and from files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from bai.arguments import expect, expect_path
from bai.compiler.emit.yaml_form import yaml_text
from bai.linter.driver.loading import load_specs
from bai.runtime.errors import MissingFileError, NotFoundError, StorageError
from bai.spec_parts import Part
from bai.spec_values import CLASSES
from bai.specs.extensions import without_extensions
from bai.specs.findings import FindingsError, errors
from bai.specs.models.kinds import KINDS
from bai.specs.parsed_file import ParsedFile, read_file
from bai.specs.validation.kinds import API_VERSION
from bai.specs.words import counted


class Document(Part):
    """A spec, which `bai.load` takes in the place of a file."""

    _settings: ClassVar[tuple[str, ...]] = ("folder",)

    folder: str | os.PathLike[str] | None = None
    """Folder that relative paths start from when it is loaded; by default that of the file that it
    was read from, or else the working directory. The YAML does not have it.
    """

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """Read the one spec of this kind in a file.

        Comments are not read, not even those that suppress findings, and neither are keys of your
        own (`x-`).

        Args:
            path: the file.

        Raises:
            MissingFileError: there is no such file.
            NotFoundError: there is no spec of this kind in it, or there are several.
            FindingsError: a spec in it is wrong.
        """
        expect_path(path, "one call for each of them")
        if not Path(path).exists():
            raise MissingFileError(f"there is no file {os.fspath(path)}")
        file = read_file(path)
        found = cls._only(file)
        found.folder = file.directory
        return found

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read the one spec of this kind in a text, as `read` does."""
        expect(text, str, "text must be a str", "read takes the path of a file")
        return cls._only(ParsedFile(text, "<string>", os.getcwd()))  # noqa: PTH109

    @classmethod
    def _only(cls, file: ParsedFile) -> Self:
        """Return the only document of this kind in a file."""
        if wrong := errors(load_specs(file).findings):
            raise FindingsError(wrong)
        kind = cls._kind()
        found = [each for each in file.documents if each.data["kind"] == kind]
        if len(found) != 1:
            number = counted(len(found), "document") if found else "no document"
            raise NotFoundError(f"{file.name} has {number} of kind {kind}, where one is expected")
        return cls.from_plain(without_extensions(found[0]).data)

    @classmethod
    def _kind(cls) -> str:
        return next(kind for kind, model in KINDS.items() if CLASSES.get(model) is cls)

    def to_yaml(self) -> str:
        """Return the text of a file with this spec, which is what `bai.load` checks.

        Raises:
            TypeError: something in it can't stand in a spec.
            ValueError: it has a number that is not finite, or a secret in plain text.
        """
        try:
            return yaml_text(self.plain(type(self).__name__))
        except (TypeError, ValueError) as error:
            # The frames that it came through know the value, which may be a secret.
            wrong = error.with_traceback(None)
        raise wrong

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write it to a file, in the place of one that exists.

        Relative paths in it start from the folder of the file from then on, as in all files.

        Raises:
            StorageError: the file can't be written.
        """
        expect_path(path, "one call for each of them")
        text = self.to_yaml()
        try:
            Path(path).write_text(text, "utf-8")
        except OSError as error:
            why = error.strerror or error
            raise StorageError(f"can't write {os.fspath(path)}: {why}") from None

    def parsed(self, name: str) -> ParsedFile:
        """Return it as a file that was read; `name` is what findings call it."""
        folder = "" if self.folder is None else os.fspath(self.folder)
        return ParsedFile(self.to_yaml(), name, os.path.abspath(folder))  # noqa: PTH100

    def plain(self, where: str) -> dict[str, Any]:
        """Return what it says as plain data, with all that a document needs."""
        spec = super().plain(where)
        head = {"apiVersion": API_VERSION, "kind": self._kind(), "metadata": spec.pop("metadata")}
        return {**head, "spec": spec} if len(self._fields) > 1 else head

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Self:
        """Make a spec of the data of a valid document."""
        return super().from_plain({"metadata": data["metadata"], **(data.get("spec") or {})})
