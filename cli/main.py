"""The command `bai`: its streams, and the handling of errors."""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from typing import TextIO

from bai.cli import interrupts
from bai.cli.exits import Exit, UnreadError
from bai.cli.quick_lint import quick_lint

_COLLECT_AFTER = 200_000
"""How many new objects there are before they are searched for garbage."""


def main() -> None:
    """Run the command line and exit."""
    interrupts.install()
    try:
        code = _main()
    except KeyboardInterrupt:
        _discard(sys.stdout)
        code = Exit.INTERRUPTED
    interrupts.ignore()
    sys.exit(code)


def _main() -> str | int | None:
    _open_streams()
    _spare_the_collector()
    try:
        code = _run()
        # At the interpreter's own end it would be too late for a message.
        sys.stdout.flush()
    except (BrokenPipeError, UnreadError):
        _discard(sys.stdout, sys.stderr)
        return Exit.UNREAD
    except OSError as error:
        _discard(sys.stdout)
        return _report(error)
    return code


def _run() -> str | int | None:
    try:
        code = quick_lint(sys.argv[1:])
        if code is not None:
            return code
        from bai.cli.verbs import app

        # Typer itself ends wrong usage and Ctrl-C.
        app()
    except SystemExit as end:
        return end.code
    except (BrokenPipeError, UnreadError):
        raise
    except Exception as error:
        return _report(error)
    return Exit.OK


def _discard(*streams: TextIO) -> None:
    """Make sure that what could not be written is not tried once more."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _open_streams() -> None:
    """Make output possible if a stream is closed, or its encoding lacks characters."""
    if sys.stdin is None:
        # No file that is opened later shall stand in its place.
        os.open(os.devnull, os.O_RDONLY)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _spare_the_collector() -> None:
    """Don't look for garbage in modules: they stay until the end, and then go with the process."""
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER)
    atexit.register(gc.freeze)


def _report(error: Exception) -> int:
    from bai.runtime.errors import ConsentError, FolderError, InUseError
    from bai.specs.errors import RuntimeFailure
    from bai.specs.findings import FindingsError

    if isinstance(error, FindingsError):
        from bai.cli.render.findings import print_findings

        print_findings(error.findings, file=sys.stderr)
        return Exit.USAGE
    if isinstance(error, ConsentError):
        only = " ".join(f"--rerun-job {job}" for job in error.jobs)
        which = "this one" if len(error.jobs) == 1 else "these"
        way = f"add --rerun, or {only} for {which} alone"
        return _say(str(ConsentError(error.jobs, way)), Exit.USAGE)
    if isinstance(error, FolderError):
        return _say(str(FolderError(error.folder, error.does, "-r")), Exit.USAGE)
    if isinstance(error, InUseError):
        return _say(str(InUseError(error.folder, error.users, "--yes")), Exit.USAGE)
    if isinstance(error, RuntimeFailure):
        return _say(str(error), Exit.USAGE)
    if isinstance(error, OSError) and error.strerror:
        # Files have names; what has none is a stream of our own.
        if not error.filename and isinstance(error, FileNotFoundError):
            # The one question to the system that names no file.
            return _say("the working directory was removed: change to another one", Exit.USAGE)
        if not error.filename:
            return _say(f"can't write the output: {error.strerror}", Exit.INTERNAL)
        return _say(f"{error.filename}: {error.strerror}", Exit.USAGE)
    if os.environ.get("BAI_DEBUG"):
        import traceback

        traceback.print_exception(error)
        return Exit.INTERNAL
    kind = type(error).__name__
    return _say(f"internal error ({kind}); BAI_DEBUG=1 shows where", Exit.INTERNAL)


def _say(message: str, code: Exit) -> int:
    sys.stderr.write(f"error: {message}\n")
    return code


if __name__ == "__main__":
    main()
