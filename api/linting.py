"""Checking files: which ones, with which settings, on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bai.compiler.lint.linter import Surroundings, lint
from bai.compiler.lint.settings import codes
from bai.compiler.rules.codes import Codes
from bai.lint_settings import Found, SettingsFinder
from bai.specs.findings import Finding, Severity, Span
from bai.specs.limits import MAX_BYTES

if TYPE_CHECKING:
    from bai.compiler.compilation import Defaults
    from bai.compiler.rules.subject import Subject

SUFFIXES: Final = (".yaml", ".yml", ".json")
_SKIPPED: Final = frozenset(("node_modules", "__pycache__"))
_MARK: Final = b"bai:"
"""What is in every comment that suppresses something."""
_USUAL: Final = 64 * 1024
"""Bytes that hardly any file has; memory for more is asked for where there are more."""
_CHUNK: Final = 32
"""Files that a process checks before it reports."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a run checks, beside the settings of its files."""

    context: str | None = None
    """The context whose defaults specs get; None for the current one."""
    start: Path | None = None
    """The folder from which contexts are looked for; None for the working directory."""
    clusters: tuple[str, ...] = ()
    """Cluster files to check job files together with."""
    select: tuple[str, ...] = ()
    """Codes, or what they begin with, that are told in place of those of the settings."""
    ignore: tuple[str, ...] = ()
    """The same, of those that are not told, beside those of the settings."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What there is to say about a file."""

    file: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Linter:
    """Checks files one by one. Settings are read once for each folder."""

    options: Options = field(default_factory=Options)

    def file(self, path: str, *, named: bool = True) -> Checked:
        """Check a file.

        Args:
            path: the file.
            named: whether somebody named it; strangers are passed over in those that were found.
        """
        try:
            with open(path, "rb") as file:  # noqa: PTH123 - pathlib costs time for each file
                content = file.read(_USUAL)
                if len(content) == _USUAL:
                    content += file.read(MAX_BYTES + 1 - _USUAL)
        except (OSError, ValueError) as error:
            if not named:
                # It went away after it was found.
                return Checked(path, ())
            reason = getattr(error, "strerror", None) or str(error)
            span = Span(path, 1, 1, 1, 1)
            message = f"can't read the file: {reason}"
            return Checked(path, (Finding("BAI110", Severity.ERROR, message, span),))
        return self.content(content, path, named=named)

    def content(self, content: bytes, path: str, *, named: bool = True) -> Checked:
        """Check what stands in a file, or will stand there.

        Args:
            content: its bytes.
            path: the file; it need not exist.
            named: as for `file`.
        """
        # No pathlib where every file passes: it costs more than a rule does.
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        settings = self._settings_of(folder)
        if settings.excludes(path):
            return Checked(path, ())
        found: Sequence[Finding] = lint(
            content, path, folder, self._surroundings, skip_strangers=not named
        )
        if _MARK in content:
            from bai.compiler.lint.suppressions import apply

            found = apply(found, content.decode("utf-8", "replace"), path, Codes())
        told = [finding for finding in found if settings.wants(finding.code, path)]
        return Checked(path, tuple(sorted(told, key=_position)))

    def _settings_of(self, folder: str) -> Found:
        found = self._finder.below(folder)
        if not (self.options.select or self.options.ignore):
            return found
        settings = replace(
            found.settings,
            select=self.options.select or found.settings.select,
            ignore=(*found.settings.ignore, *self.options.ignore),
        )
        return replace(found, settings=settings)

    @cached_property
    def _finder(self) -> SettingsFinder:
        return SettingsFinder(Codes())

    @cached_property
    def _surroundings(self) -> Surroundings:
        return Surroundings(self._defaults, tuple(map(_cluster, self.options.clusters)))

    def _defaults(self) -> Defaults:
        return self._context_defaults

    @cached_property
    def _context_defaults(self) -> Defaults:
        from bai.runtime.context import select

        return select(self.options.context, self.options.start or Path.cwd()).defaults


def check_codes(where: str, prefixes: Iterable[str]) -> tuple[str, ...]:
    """Return codes that a person gave, or what codes begin with.

    Raises:
        SettingsError: there are none such.
    """
    found = tuple(prefixes)
    return codes(where, found, Codes()) if found else ()


def find_files(paths: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Iterate over (file, whether it was named): what is named, and what is in named folders.

    In a folder these are the YAML and JSON files, hidden folders and virtual environments aside;
    links to folders are not followed.
    """
    seen: set[str] = set()
    for path in paths:
        for file, named in _below(path):
            if file not in seen:
                seen.add(file)
                yield file, named


def lint_files(
    paths: Sequence[str], options: Options, processes: int | None = None
) -> Iterator[Checked]:
    """Iterate over what there is to say about files and all that is in folders, in their order.

    Args:
        paths: files and folders.
        options: what to check.
        processes: how many to use at most; None for one for each core.

    Raises:
        ContextError: the settings, or the context, are not valid.
    """
    linter = Linter(options)
    files = list(find_files(paths))
    most = len(os.sched_getaffinity(0)) if processes is None else processes
    wanted = min(most, len(files) // _CHUNK)
    if wanted < 2:
        for path, named in files:
            yield linter.file(path, named=named)
        return
    yield from _spread(linter, files, wanted)


def _spread(linter: Linter, files: Sequence[tuple[str, bool]], processes: int) -> Iterator[Checked]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    # What the first file needs is imported before the others are forked.
    first, *rest = files
    yield linter.file(first[0], named=first[1])
    chunks = [rest[start : start + _CHUNK] for start in range(0, len(rest), _CHUNK)]
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(processes, context, _begin, (linter,)) as pool:
        for checked in pool.map(_work, chunks):
            yield from checked


_linter: Linter
"""The linter of a worker process."""


def _begin(linter: Linter) -> None:
    global _linter
    _linter = linter


def _work(files: Sequence[tuple[str, bool]]) -> list[Checked]:
    return [_linter.file(path, named=named) for path, named in files]


def _below(path: str) -> Iterator[tuple[str, bool]]:
    if not os.path.isdir(path):  # noqa: PTH112
        yield path, True
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if _is_searched(folder, name))
        for name in sorted(files):
            if name.endswith(SUFFIXES):
                yield os.path.normpath(os.path.join(folder, name)), False  # noqa: PTH118


def _is_searched(folder: str, name: str) -> bool:
    hidden = name.startswith(".") or name in _SKIPPED
    return not hidden and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))  # noqa: PTH110, PTH118


def _position(finding: Finding) -> tuple[int, int, str]:
    span = finding.span
    return (span.line, span.column, finding.code) if span else (0, 0, finding.code)


def _cluster(path: str) -> Subject:
    """Return the cluster of a cluster file.

    Raises:
        ContextError: it is none.
    """
    from bai.compiler.recognise import batchai_kind
    from bai.compiler.resources.ids import Kind
    from bai.compiler.rules.subject import Subject
    from bai.runtime.errors import ContextError
    from bai.specs.plain import resolved
    from bai.specs.reader import read

    try:
        documents, _ = read(Path(path).read_bytes(), path)
    except OSError as error:
        raise ContextError(f"can't read {path}: {error.strerror}") from None
    for document in documents:
        if batchai_kind(document.data) is Kind.CLUSTER:
            return Subject(Kind.CLUSTER, resolved(document.data))
    raise ContextError(f"{path} is no cluster file of Batch AI's")
