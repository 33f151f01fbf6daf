"""Arguments and options that several verbs share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from bai.compiler.resources.ids import Kind
    from bai.limits import Limits

SpecFiles = Annotated[
    list[Path],
    typer.Argument(help="Specs, in YAML, and folders with specs; - is standard input."),
]
ContextName = Annotated[
    str | None,
    typer.Option(
        "--context", metavar="NAME", help="Context to use; `bai context list` lists them."
    ),
]
JobName = Annotated[str, typer.Argument(help="Job, as NAME or EXPERIMENT/NAME.")]
JobNames = Annotated[list[str], typer.Argument(help="Jobs, each as NAME or EXPERIMENT/NAME.")]
MaxNodes = Annotated[
    int | None,
    typer.Option(metavar="N", help="Cut clusters and jobs to at most this many nodes.", min=1),
]
MaxProcesses = Annotated[
    int | None, typer.Option(metavar="N", help="Cut jobs to at most this many processes.", min=1)
]
WithoutContainers = Annotated[
    bool,
    typer.Option(
        "--without-containers",
        help="Run jobs outside their container images, and without the preparation of these.",
    ),
]
WithPreparation = Annotated[
    bool,
    typer.Option(
        "--with-preparation",
        help="With --without-containers: run the preparation on this machine all the same.",
    ),
]
Rerun = Annotated[
    bool, typer.Option("--rerun", help="Start a new attempt of all jobs that changed or ended.")
]
RerunJob = Annotated[
    list[str] | None,
    typer.Option(
        "--rerun-job", metavar="JOB", help="Start a new attempt of this job only; may be repeated."
    ),
]
Parameter = Annotated[
    list[str] | None,
    typer.Option(
        "--parameter",
        "-p",
        metavar="NAME=VALUE",
        help="Value of a parameter of the specs; may be repeated.",
    ),
]
ParametersFile = Annotated[
    Path | None,
    typer.Option(
        "--parameters",
        metavar="FILE",
        help="Values of parameters, in YAML or JSON; those of -p come before them.",
    ),
]
Wire = Annotated[
    bool, typer.Option("--wire", help="In Batch AI's wire form, not in the words of specs.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer yes to all questions.")]
ResourceName = Annotated[str | None, typer.Argument(help="Its name; or write KIND/NAME.")]


def name(what: str, *flags: str) -> Any:
    """Return an option that takes the name of something."""
    return typer.Option(*flags, metavar="NAME", help=f"Name of the {what}.")


def output(*formats: str, use: str = "", show_default: bool = True) -> Any:
    """Return the option `--output`, which takes one of some formats.

    Args:
        formats: their names.
        use: what its help says behind them.
        show_default: whether its help shows the default.
    """

    def valid(value: str | None) -> str | None:
        return value if value is None else one_of(value, formats, "--output")

    words = f"{', '.join(formats[:-1])} or {formats[-1]}{use}."
    return typer.Option(
        "--output", "-o", metavar="FORMAT", help=words, callback=valid, show_default=show_default
    )


def one_of(value: str, valid: Sequence[str], option: str) -> str:
    """Return the value of an option.

    Raises:
        typer.BadParameter: it is none of the valid ones.
    """
    if value in valid:
        return value
    from bai.specs.names import suggestion

    raise typer.BadParameter(f"{value!r} ({suggestion(value, valid)})", param_hint=option)


def limits(
    max_nodes: int | None,
    max_processes: int | None,
    *,
    without_containers: bool,
    with_preparation: bool,
) -> Limits:
    """Return the limits that these options give.

    Raises:
        typer.BadParameter: there are no containers that a preparation could be without.
    """
    from bai.limits import Limits

    if with_preparation and not without_containers:
        raise typer.BadParameter(
            "it goes with --without-containers: jobs on this machine run their preparation anyway",
            param_hint="--with-preparation",
        )
    return Limits(max_nodes, max_processes, without_containers, with_preparation)


def parse_name(kind: str, name: str | None, *others: str) -> tuple[Kind, str | None]:
    """Return a kind and a name that are written in two words, or in one as KIND/NAME.

    Args:
        kind: the first word.
        name: the second one.
        others: further words that could stand in the place of a kind.

    Raises:
        typer.BadParameter: there is no such kind; the message names the nearest.
    """
    from bai.compiler.resources.ids import Kind

    if name is None and "/" in kind:
        kind, _, name = kind.partition("/")
    try:
        return Kind.named(kind, others), name
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="KIND") from None


def note(sentence: str) -> None:
    """Write a sentence about what goes on to stderr."""
    typer.echo(sentence, err=True)
