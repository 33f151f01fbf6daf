"""Checking files with their settings, on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from bai.linter.driver.discovery import content_of, is_ours, may_be_ours
from bai.linter.driver.examine import Report, examine, plain_context
from bai.linter.driver.settings_files import Found, SettingsFinder, no_settings
from bai.linter.environment import LintEnvironment
from bai.linter.facts.command_lines import commands
from bai.linter.rules.registry import is_clean
from bai.specs.findings import Finding, by_place
from bai.specs.parsed_file import ParsedFile, unreadable
from bai.specs.syntax.characters import encoding_of

if TYPE_CHECKING:
    from bai.compiler.compilation import Defaults
    from bai.linter.context import RuleContext
    from bai.linter.driver.shellcheck import ShellCheck
    from bai.linter.resource_view import ResourceView
    from bai.specs.parameters.records import GivenValues

_MARKS: Final = (b"bai:", b"# bai", b"#bai", b"BAI:", b"# BAI", b"#BAI", b"# Bai", b"#Bai")
"""One of them is in every comment that suppresses something, or nearly does, behind a `#`."""
_MANY: Final = 16
"""Files of one chunk from which on it saves time to make a screen for them."""
_MOST_AHEAD: Final = 1 << 18
"""Bytes of a file that is kept in memory until ShellCheck was started for all of its chunk."""


class Options(NamedTuple):
    """Options of a run, which take precedence over the settings of its files."""

    defaults: Callable[[], Defaults] | None = None
    """Returns the values for names that specs leave out; None for the built-in context's."""
    cluster: str | None = None
    """Cluster file to check Batch AI's job files together with."""
    select: tuple[str, ...] = ()
    """Codes, or what they begin with, that are reported in place of those of the settings."""
    ignore: tuple[str, ...] = ()
    """The same, of those that are not reported, beside those of the settings."""
    known_only: bool = False
    """Whether foreign files are skipped even if they are named."""
    has_settings: bool = True
    """Whether the settings of files count; otherwise those hold that nobody has changed."""
    parameters: GivenValues | None = None
    """Values of the parameters of specs; None where they are not known yet."""


class Checked(NamedTuple):
    """A file with its findings."""

    file: str
    findings: tuple[Finding, ...]
    passed_over: bool = False
    """Whether it was not checked: it is foreign, or excluded by settings."""
    is_excluded: bool = False
    """Whether that is what the settings say."""
    has_job_file: bool = False
    """Whether it holds a job of Batch AI's, which is checked with the cluster of the options."""


class _Opened(NamedTuple):
    """A file that is going to be checked."""

    file: ParsedFile
    settings: Found
    context: RuleContext | None
    """The file as rules look at it without places; None if it needs the reader."""
    skip_foreign: bool


class Linter:
    """Checks files. Settings are read once for each folder."""

    def __init__(self, options: Options | None = None) -> None:
        """Hold the options; nothing is read yet."""
        self.options = options or Options()
        self._finder = SettingsFinder()

    def file(self, path: str, *, named: bool = True) -> Checked:
        """Check a file.

        Args:
            path: the file.
            named: whether it was named; of those found in a folder, foreign ones are skipped.
        """
        [checked] = self.several([(path, named)])
        return checked

    def several(self, files: Sequence[tuple[str, bool]]) -> list[Checked]:
        """Check some files, each with whether it was named, as `file` does.

        ShellCheck, which takes longer to start than all else, is started once for all of them.
        """
        return self._checked([self._read(path, named=named) for path, named in files])

    def content(self, content: bytes, path: str) -> Checked:
        """Check the present or future content of a file.

        Args:
            content: its bytes.
            path: the file; it need not exist.
        """
        # No pathlib where every file passes: it costs more than a rule does.
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        [checked] = self._checked([self._opened(ParsedFile(content, path, folder))])
        return checked

    def together(self, files: Sequence[ParsedFile]) -> tuple[Finding, ...]:
        """Return the findings of files that belong together: a job may run on another's cluster."""
        try:
            report = examine(files, self._environment)
        finally:
            self._shell.stop()
        found: dict[Finding, None] = {}
        # A file that is given twice counts once.
        for file in {each.name: each for each in files}.values():
            settings = self._settings_of(file.directory)
            if settings.excludes(file.name):
                continue
            own = [each for each in report.findings if not each.span or each.span.file == file.name]
            found |= dict.fromkeys(self._wanted(own, report, file, settings))
        return tuple(found)

    def _checked(self, files: Sequence[Checked | _Opened]) -> list[Checked]:
        try:
            contexts = [each.context for each in files if isinstance(each, _Opened)]
            views = [view for context in contexts if context for view in context.items]
            self._shell.prefetch(command for view in views for command in commands(view))
            is_many = len(files) >= _MANY
            return [
                each if isinstance(each, Checked) else self._check(each, is_one_of_many=is_many)
                for each in files
            ]
        finally:
            self._shell.stop()

    def _read(self, path: str, *, named: bool) -> Checked | _Opened:
        folder = os.path.dirname(os.path.abspath(path))  # noqa: PTH100, PTH120
        try:
            content = content_of(path, named=named)
        except (OSError, ValueError) as error:
            what = "folder" if os.path.isdir(path) else "file"  # noqa: PTH112
            return Checked(path, (unreadable(path, error, what),))
        if content is None:
            return Checked(path, (), passed_over=True)
        opened = self._opened(ParsedFile(content, path, folder), named=named)
        if isinstance(opened, _Opened) and len(content) > _MOST_AHEAD:
            return self._check(opened)
        return opened

    def _opened(self, file: ParsedFile, *, named: bool = True) -> Checked | _Opened:
        skip_foreign = self.options.known_only or not named
        settings = self._settings_of(file.directory)
        if settings.excludes(file.name):
            return Checked(file.name, (), passed_over=True, is_excluded=True)
        if skip_foreign and not may_be_ours(file.content):
            return Checked(file.name, (), passed_over=True)
        return _Opened(file, settings, plain_context(file, self._environment), skip_foreign)

    def _check(self, opened: _Opened, *, is_one_of_many: bool = False) -> Checked:
        file, context = opened.file, opened.context
        if context and is_clean(context, is_one_of_many=is_one_of_many):
            report = Report((), context)
        elif opened.skip_foreign and not is_ours(file):
            return Checked(file.name, (), passed_over=True)
        else:
            report = examine([file], self._environment)
        has_job_file = any(not job.is_compiled for job in report.context.jobs)
        found = self._wanted(report.findings, report, file, opened.settings)
        return Checked(file.name, found, has_job_file=has_job_file)

    def _wanted(
        self, findings: Sequence[Finding], report: Report, file: ParsedFile, settings: Found
    ) -> tuple[Finding, ...]:
        """Return the findings of a file that neither its comments nor its settings suppress."""
        encoding = encoding_of(file.content)
        # In other encodings the bytes of a mark differ; searching for one byte is far faster.
        if encoding != "utf-8" or (
            b"#" in file.content and any(mark in file.content for mark in _MARKS)
        ):
            from bai.linter.suppressions.apply import apply

            text = file.content.decode(encoding, "replace")
            findings = apply(findings, text, file.name, report.unchecked)
        wanted = [finding for finding in findings if settings.wants(finding.code, file.name)]
        return tuple(sorted(wanted, key=by_place))

    def _settings_of(self, folder: str) -> Found:
        found = self._finder.below(folder) if self.options.has_settings else no_settings(folder)
        if not (self.options.select or self.options.ignore):
            return found
        settings = found.settings._replace(
            select=self.options.select or found.settings.select,
            ignore=(*found.settings.ignore, *self.options.ignore),
        )
        return found._replace(settings=settings)

    @cached_property
    def _environment(self) -> LintEnvironment:
        from bai.linter.driver.filesystem import LocalFiles

        clusters: tuple[ResourceView, ...] = ()
        if self.options.cluster:
            from bai.linter.driver.cluster_file import read_cluster

            clusters = (read_cluster(self.options.cluster),)
        defaults = cache(self.options.defaults or _built_in_defaults)
        files, parameters = LocalFiles(), self.options.parameters
        return LintEnvironment(defaults, clusters, files, self._shell, parameters=parameters)

    @cached_property
    def _shell(self) -> ShellCheck:
        from bai.linter.driver.shellcheck import ShellCheck

        return ShellCheck()


def _built_in_defaults() -> Defaults:
    from bai.compiler.compilation import UNNAMED, Defaults

    return Defaults(resource_group=UNNAMED, workspace=UNNAMED, location=UNNAMED)
