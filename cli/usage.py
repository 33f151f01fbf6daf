"""The commands of `bai` as typer makes them, with help and complaints in words of our own."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from bai.cli.exits import UnreadError

_OTHER_VERBS: Final = {
    "run": "apply",
    "create": "apply",
    "submit": "apply",
    "plan": "diff",
    "check": "lint",
    "validate": "lint",
    "build": "compile",
    "convert": "import",
    "list": "get",
    "show": "describe",
    "tail": "logs",
    "stop": "cancel",
    "kill": "cancel",
    "rm": "delete",
    "remove": "delete",
    "new": "init",
}
"""What other tools call a verb -> its name here."""

_OTHER_OPTIONS: Final = {
    "--format": "--output",
    "--output-format": "--output",
    "--json": "--output",
    "--attach": "--follow",
    "--lines": "--tail",
    "--force": "--yes",
    "--filename": "--file",
    "--config": "--context",
    "--until": "--for",
    "--no-follow": "--detach",
    "--restart": "--rerun",
}
"""What other tools call an option -> its name here."""


_ALONE: Final = {"--dry-run": (("client", "server"), "server")}
"""Option that may come without its value -> (its values, the one that it then has)."""

_SEVERAL: Final = frozenset(("--from",))
"""Options that take all words up to the next option."""


class Command(TyperCommand):
    """A verb."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read arguments and options, also those that have no value here, or several."""
        own = {name for param in self.params for name in param.opts}
        args = list(_with_value(args, own & _ALONE.keys()))
        return super().parse_args(ctx, list(_repeated(args, own & _SEVERAL)))

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the verb's examples."""
        from bai.cli.examples import EXAMPLES

        super().format_epilog(ctx, formatter)
        # Without the program's own name: `storage cp`.
        if lines := EXAMPLES.get(ctx.command_path.partition(" ")[2]):
            with formatter.section("Examples"):
                for line in lines:
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what arguments and options are for."""
        _document_arguments(self)
        super().format_options(ctx, formatter)


class Group(TyperGroup):
    """A verb with verbs below it, or all of them."""

    def make_context(self, *args: Any, **more: Any) -> Any:
        """Read options; errors are reported in bai's own words."""
        with _own_errors():
            return super().make_context(*args, **more)

    def invoke(self, ctx: Any) -> Any:
        """Run a verb; errors in its options are reported in bai's own words."""
        with _own_errors():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Return (name, command, arguments) of what is called."""
        try:
            return super().resolve_command(ctx, args)
        except Exception as error:
            if _is_usage_error(error):
                from bai.specs.names import suggestion

                name, names = args[0], list(self.commands)
                other = _OTHER_VERBS.get(name)
                hint = f"did you mean {other}?" if other in names else suggestion(name, names)
                _say(error, f"there is no command {name!r} ({hint})")
            raise


def group(text: str) -> typer.Typer:
    """Return an app for the verbs below a verb, with the text of its help."""
    return typer.Typer(
        cls=Group, help=text, no_args_is_help=True, add_completion=False, rich_markup_mode=None
    )


def _with_value(args: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """Iterate over a command line in which none of these options is without its value."""
    for index, arg in enumerate(args):
        if arg == "--":
            yield from args[index:]
            return
        if arg in options:
            values, alone = _ALONE[arg]
            if not set(args[index + 1 : index + 2]) & set(values):
                arg = f"{arg}={alone}"
        yield arg


def _repeated(args: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """Iterate over a command line in which each value of these options has its own option."""
    option = None
    for index, arg in enumerate(args):
        if arg == "--":
            yield from args[index:]
            return
        if arg.startswith("-"):
            option = arg if arg in options else None
        elif option and args[index - 1] != option:
            yield option
        yield arg


@contextmanager
def _own_errors() -> Iterator[None]:
    """Give a complaint about an option our words, and a pipe that closes our exit code.

    The classes of such complaints are click's, or typer's own copy of them in later versions.
    """
    try:
        yield
    except BrokenPipeError as error:
        raise UnreadError from error
    except Exception as error:
        option = getattr(error, "option_name", None)
        if _is_usage_error(error) and type(error).__name__ == "NoSuchOption" and option:
            command = getattr(error, "ctx").command  # noqa: B009 - it has no such attribute to mypy
            _say(error, f"there is no option {option}{_option_hint(option, command.params)}")
        raise


def _option_hint(option: str, params: Iterable[Any]) -> str:
    """Return what follows the name of an unknown option: the one that is meant, in parentheses."""
    from bai.specs.names import nearest

    names = [name for param in params for name in param.opts if name.startswith("-")]
    if option in ("-f", "--file", "--filename") and any(p.name == "files" for p in params):
        return " (files are given without one)"
    others = {name: meant for name, meant in _OTHER_OPTIONS.items() if meant in names}
    near = nearest(option, [*filter(lambda name: len(name) > 2, names), *others])
    return f" (did you mean {others.get(near, near)}?)" if near else ""


def _is_usage_error(error: Exception) -> bool:
    return hasattr(error, "format_message") and hasattr(error, "ctx")


def _say(error: Any, message: str) -> None:
    error.message = message
    # Newer versions add what they take for similar.
    error.possibilities = None


def _document_arguments(command: Any) -> None:
    """Give arguments back their help, which typer loses with newer versions of click."""
    if all(getattr(param, "help", "") is not None for param in command.params):
        return
    function = inspect.unwrap(command.callback)
    hints = get_type_hints(function, include_extras=True)
    for param in command.params:
        if getattr(param, "help", "") is None:
            metadata = getattr(hints.get(param.name), "__metadata__", ())
            param.help = next((info.help for info in metadata if hasattr(info, "help")), None)
