"""bai lint."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.render.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bai.cli.render.formats import RuleText, Run
    from bai.cli.render.sources import Sources
    from bai.compiler.compilation import Defaults
    from bai.linter.driver.fixing import Fixed
    from bai.linter.driver.linter import Checked, Options
    from bai.specs.findings import Finding

_NO_FILE = "no spec and no file for Batch AI in"


def lint(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Specs, Batch AI's files, and folders with such; - is standard input. "
            "By default all below the working directory.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FORMAT", help="text, terse, json, sarif or github."
        ),
    ] = "text",
    fix: Annotated[
        bool, typer.Option("--fix", help="Change files: make the fixes that are safe.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    known_only: Annotated[
        bool,
        typer.Option(
            "--known-only",
            help="Skip files that are neither specs nor Batch AI's, as in folders, without a word.",
        ),
    ] = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="Only findings with these codes, or beginnings of codes: BAI101,BAI5.",
            show_default=False,
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="No findings with these codes, or beginnings of codes.",
            show_default=False,
        ),
    ] = None,
    cluster: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Cluster file that the job files run on; may come several times.",
            show_default=False,
        ),
    ] = None,
    stdin_filename: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Name that standard input has in findings.", show_default=False
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="N",
            help="Processes to check files in.",
            min=1,
            show_default=False,
        ),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Check specs and Batch AI's own files without running anything.

    Command lines are given to ShellCheck as well, where it is installed.

    Exit code: 0 clean, 1 findings, 2 wrong usage or settings. `bai rules` lists what is checked.
    """
    from bai.cli.render.formats import FORMATS
    from bai.cli.spec_files import STDIN
    from bai.linter.driver.linter import Options, check_codes
    from bai.linter.driver.settings import SettingsError

    options.one_of(output, tuple(FORMATS), "--output")
    if cluster and len(cluster) > 1:
        raise typer.BadParameter("--cluster is one file: a job runs on one cluster")
    try:
        chosen = Options(
            defaults=lambda: _defaults(context),
            cluster=cluster[0] if cluster else None,
            select=check_codes("--select", _codes(select)),
            ignore=check_codes("--ignore", _codes(ignore)),
            known_only=known_only,
        )
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from None
    if "BAI720" in chosen.select:
        _require_shellcheck()
    # What a job is checked with is checked itself.
    paths = [*(files or ["."]), *(cluster or ())] if files != ["-"] else ["-"]
    if stdin_filename is not None and "-" not in paths:
        raise typer.BadParameter("--stdin-filename is for standard input, which is -")
    if "-" in paths:
        if len(paths) > 1 or fix or diff:
            raise typer.BadParameter("standard input comes alone, without --fix and --diff")
        raise typer.Exit(_lint_stdin(stdin_filename or STDIN, chosen, output))
    if fix or diff:
        raise typer.Exit(_fix(paths, chosen, jobs, output, write=not diff))
    raise typer.Exit(_lint(paths, chosen, jobs, output))


def _lint(paths: list[str], chosen: Options, jobs: int | None, output: str) -> Exit:
    from bai.linter.driver.linter import Linter, lint_files

    count = _Count(paths, chosen)
    _write(output, count.of(lint_files(paths, Linter(chosen), jobs)), _run(offers_fixes=True))
    return count.tell(output)


def _lint_stdin(name: str, chosen: Options, output: str) -> Exit:
    from bai.cli.render.sources import Sources
    from bai.linter.driver.linter import Linter
    from bai.specs.syntax.limits import MAX_BYTES

    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    checked = Linter(chosen).content(content, name)
    count = _Count((name,), chosen)
    sources = Sources({name: content.decode("utf-8-sig", "replace")})
    _write(output, count.of([checked]), _run(sources))
    return count.tell(output)


def _fix(paths: list[str], chosen: Options, jobs: int | None, output: str, *, write: bool) -> Exit:
    from bai.linter.driver.fixing import FixError, fixed
    from bai.linter.driver.linter import Linter, lint_files

    linter, made, changed, failed, left = Linter(chosen), 0, 0, 0, []
    for checked in lint_files(paths, linter, jobs):
        try:
            result = fixed(linter, checked)
            if result and write:
                result.write()
        except FixError as error:
            _say(f"error: {error}")
            left.append(checked)
            failed += 1
            continue
        if result:
            made, changed = made + result.count, changed + 1
            if not write:
                sys.stdout.write(_shown_diff(checked, result))
        left.append(result.checked if result else checked)
    if not write:
        _say(f"{counted(made, 'fix', 'fixes')} to make in {counted(changed, 'file')}")
        for unread in _unread(left):
            _say(f"error: {unread}")
            failed += 1
        _Count(paths, chosen).over(left).tell_cluster()
        return Exit.FAILED if changed or failed else Exit.OK
    count = _Count(paths, chosen)
    _write(output, count.of(left), _run())
    if made:
        _say(f"{counted(made, 'fix', 'fixes')} made in {counted(changed, 'file')}")
    return count.tell(output)


def _shown_diff(checked: Checked, result: Fixed) -> str:
    """Return the difference that fixes make, secrets as stars."""
    from bai.cli.render.masks import hidden
    from bai.cli.render.width import printable
    from bai.linter.fixes import diff

    file = checked.file
    before = hidden(result.source.text, file, checked.findings)
    after = hidden(result.text, file, result.checked.findings)
    return diff(before, after, printable(file))


def _unread(checked: Iterable[Checked]) -> Iterator[Finding]:
    for each in checked:
        yield from (finding for finding in each.findings if finding.code == "BAI110")


class _Count:
    """Counts what goes by."""

    def __init__(self, paths: Sequence[str], chosen: Options) -> None:
        self.paths = paths
        self.cluster = chosen.cluster
        self.known_only = chosen.known_only
        self.files = 0
        self.excluded = 0
        self.findings = 0
        self.jobs = 0
        self.unread = 0

    def of(self, checked: Iterable[Checked]) -> Iterator[Finding]:
        """Iterate over the findings."""
        for each in checked:
            self.files += not each.passed_over
            self.excluded += each.is_excluded
            self.findings += len(each.findings)
            self.jobs += each.has_job_file
            self.unread += any(finding.code.startswith("BAI1") for finding in each.findings)
            yield from each.findings

    def over(self, checked: Iterable[Checked]) -> _Count:
        """Let all go by at once, and return self."""
        for _ in self.of(checked):
            pass
        return self

    def tell(self, output: str) -> Exit:
        """Say that nothing was found, or looked at, and return the exit code."""
        if not self.files and not self.known_only:
            what = "the settings exclude all of" if self.excluded else _NO_FILE
            _say(f"warning: {what} {', '.join(self.paths)}")
        elif self.files and not self.findings and output == "text":
            typer.echo(f"{counted(self.files, 'file')} checked, no findings")
        self.tell_cluster()
        return Exit.FAILED if self.findings else Exit.OK

    def tell_cluster(self) -> None:
        """Say that no job was checked with the cluster of the command line, if that is so."""
        # A file that can't be read may be meant to be one.
        if self.cluster and not self.jobs and not self.unread:
            _say(
                f"warning: no job was checked with {self.cluster}: --cluster is for job files of "
                "Batch AI's, and a spec's jobs are checked with the clusters of the spec"
            )


def _write(output: str, findings: Iterable[Finding], run: Run) -> None:
    from bai.cli.render.formats import writer

    writer(output)(findings, sys.stdout, run)


def _run(sources: Sources | None = None, *, offers_fixes: bool = False) -> Run:
    from bai.cli.render.formats import Run
    from bai.cli.render.sources import Sources

    return Run(sources or Sources(), _rules, offers_fixes=offers_fixes)


def _rules() -> Iterator[RuleText]:
    from bai.cli.render.formats import RuleText
    from bai.linter.pages.catalogue import catalogue

    for code, page, _ in catalogue().values():
        text = "\n\n".join(page.paragraphs)
        yield RuleText(code.code, code.title, text, code.severity)


def _require_shellcheck() -> None:
    """Say that what was asked for can't be found without ShellCheck; others need not hear of it."""
    from bai.linter.driver.shellcheck import ShellCheck

    if ShellCheck().program is None:
        _say(
            "warning: BAI720 comes from ShellCheck, which is not installed: apt install shellcheck"
        )


def _defaults(context: str | None) -> Defaults:
    from pathlib import Path

    from bai.runtime.context import select

    return select(context, Path.cwd()).defaults


def _codes(given: list[str] | None) -> Iterator[str]:
    """Iterate over codes that are given one by one, or in one word with commas."""
    for word in given or ():
        yield from (code.strip().upper() for code in word.split(","))


def _say(text: str) -> None:
    typer.echo(text, err=True)
