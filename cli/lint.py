"""bai lint."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.exits import Exit
from bai.cli.lint_paths import LintSummary, defaults_of, lint_paths, say
from bai.cli.render.formats import FORMATS, Run, writer
from bai.cli.terminal import read_standard_input
from bai.specs.words import counted

if TYPE_CHECKING:
    from bai.linter.driver.fixing import Fixed
    from bai.linter.driver.linter import Checked, Options


def lint(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            help="Specs, Batch AI's files, and folders with such; - is standard input. "
            "By default all below the working directory."
        ),
    ] = None,
    output: Annotated[str, options.output(*FORMATS)] = "text",
    fix: Annotated[
        bool, typer.Option("--fix", help="Change files: make the fixes that are safe.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change, and change nothing.")
    ] = False,
    known_only: Annotated[
        bool,
        typer.Option(
            "--known-only", help="Silently skip given files that are neither specs nor Batch AI's."
        ),
    ] = False,
    select: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CODES",
            help="Only findings with these codes, or beginnings of codes: BAI101,BAI5.",
        ),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option(metavar="CODES", help="No findings with these codes, or beginnings of codes."),
    ] = None,
    cluster: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Cluster file that the job files run on; may come several times."
        ),
    ] = None,
    stdin_filename: Annotated[
        str | None, typer.Option(metavar="FILE", help="Name of standard input in findings.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", metavar="N", help="Processes to check files in.", min=1),
    ] = None,
    context: options.ContextName = None,
) -> None:
    """Check specs and Batch AI's own files without running anything.

    Command lines are given to ShellCheck as well, where it is installed.

    Exit code: 0 clean, 1 findings, 2 wrong usage or settings. `bai rules` lists what is checked.
    """
    from bai.cli.spec_files import STDIN
    from bai.linter.driver.linter import Options
    from bai.linter.driver.settings import SettingsError, codes

    if cluster and len(cluster) > 1:
        raise typer.BadParameter("--cluster is one file: a job runs on one cluster")
    try:
        chosen = Options(
            defaults=lambda: defaults_of(context),
            cluster=cluster[0] if cluster else None,
            select=codes("--select", _codes(select)),
            ignore=codes("--ignore", _codes(ignore)),
            known_only=known_only,
        )
    except SettingsError as error:
        raise typer.BadParameter(error.message, param_hint=error.key) from None
    if "BAI720" in chosen.select:
        _require_shellcheck()
    paths = files or ["."]
    if stdin_filename is not None and "-" not in paths:
        raise typer.BadParameter("--stdin-filename is for standard input, which is -")
    if "-" in paths:
        if len(paths) > 1 or fix or diff:
            raise typer.BadParameter("standard input comes alone, without --fix and --diff")
        raise typer.Exit(_lint_stdin(stdin_filename or STDIN, chosen, output))
    if fix or diff:
        raise typer.Exit(_fix(paths, chosen, jobs, output, write=not diff))
    raise typer.Exit(lint_paths(paths, chosen, jobs, output))


def _lint_stdin(name: str, chosen: Options, output: str) -> Exit:
    from bai.cli.render.sources import Sources
    from bai.linter.driver.linter import Linter
    from bai.specs.syntax.characters import MAX_BYTES

    content = read_standard_input(MAX_BYTES + 1)
    checked = Linter(chosen).content(content, name)
    summary = LintSummary((name,), chosen)
    texts = {name: content.decode("utf-8-sig", "replace")}
    writer(output)(summary.findings_of([checked]), sys.stdout, Run(Sources(texts)))
    return summary.end(output)


def _fix(paths: list[str], chosen: Options, jobs: int | None, output: str, *, write: bool) -> Exit:
    from bai.cli.render.sources import Sources
    from bai.linter.driver.fixing import fix_files
    from bai.linter.driver.linter import Linter
    from bai.linter.driver.run import lint_files
    from bai.specs.parsed_file import UNREADABLE

    linter, made, changed, failed, left = Linter(chosen), 0, 0, 0, []
    for result in fix_files(lint_files(paths, linter, jobs), linter, write=write):
        left.append(result.after)
        if result.error:
            say(f"error: {result.error}")
            failed += 1
        if result.fixed:
            made, changed = made + result.fixed.count, changed + 1
            if not write:
                sys.stdout.write(_shown_diff(result.before, result.fixed))
    summary = LintSummary(paths, chosen)
    if not write:
        say(f"{counted(made, 'fix', 'fixes')} to make in {counted(changed, 'file')}")
        unread = [each for each in summary.findings_of(left) if each.code == UNREADABLE]
        for finding in unread:
            say(f"error: {finding}")
        summary.warn_of_cluster()
        return Exit.FAILED if changed or failed or unread else Exit.OK
    writer(output)(summary.findings_of(left), sys.stdout, Run(Sources()))
    if made:
        say(f"{counted(made, 'fix', 'fixes')} made in {counted(changed, 'file')}")
    return summary.end(output)


def _shown_diff(checked: Checked, result: Fixed) -> str:
    """Return the difference that fixes make, secrets as stars."""
    from bai.cli.render.masks import hidden
    from bai.cli.render.width import printable
    from bai.linter.fixes import diff

    file = checked.file
    before = hidden(result.source.text, file, checked.findings)
    after = hidden(result.text, file, result.checked.findings)
    return diff(before, after, printable(file))


def _require_shellcheck() -> None:
    """Warn if ShellCheck, which the selected codes come from, is not installed."""
    from bai.linter.driver.shellcheck import ShellCheck

    if ShellCheck().program is None:
        say("warning: BAI720 comes from ShellCheck, which is not installed: apt install shellcheck")


def _codes(given: list[str] | None) -> list[str]:
    """Return codes that are given one by one, or in one word with commas."""
    return [code.strip().upper() for word in given or () for code in word.split(",")]
