"""bai tensorboard."""

from __future__ import annotations

import logging
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bai.cli import options
from bai.cli.sessions import open_session
from bai.cli.sweeps import named

if TYPE_CHECKING:
    from bai.event_files import EventFile
    from bai.handle import JobHandle


def tensorboard(
    jobs: options.JobNames,
    port: Annotated[
        int, typer.Option(metavar="N", help="Port to serve at; by default a free one.", min=0)
    ] = 0,
    context: options.ContextName = None,
) -> None:
    """Show jobs' event files in TensorBoard, until Ctrl-C.

    The name of a sweep stands for all of its jobs. Only this machine can reach the address that is
    printed. Event files of jobs on this machine are followed as they grow; those of others are
    copied once.
    """
    from bai.event_files import is_readable
    from bai.runtime.errors import NotFoundError

    if not is_readable():
        raise NotFoundError("TensorBoard is not installed: `pip install 'bai[tensorboard]'`")
    found, sweeps = named(open_session(context), jobs)
    every = [*found, *(job for sweep in sweeps for job in sweep.jobs)]
    with tempfile.TemporaryDirectory(prefix="bai-tensorboard-") as folder:
        counts = [_provide(job, Path(folder)) for job in every]
        if not any(counts):
            labels = ", ".join(job.label for job in every) or "these sweeps"
            raise NotFoundError(
                f"there are no TensorBoard event files of {labels}: scripts write them to an "
                "output, `$AZ_BATCHAI_OUTPUT_ID`"
            )
        _serve(folder, port)


def _provide(job: JobHandle, folder: Path) -> int:
    """Make the event files of a job appear in a folder; return how many there are."""
    from bai.event_files import event_files

    found = event_files(job.event_directories)
    for file in found:
        target = folder / job.label.partition("/")[2] / file.run / Path(file.path).name
        target.parent.mkdir(parents=True, exist_ok=True)
        _link_or_copy(file, target)
    return len(found)


def _link_or_copy(file: EventFile, target: Path) -> None:
    local = Path(file.directory.address, file.path)
    if local.is_file():
        target.symlink_to(local.absolute())
    else:
        file.directory.download(target, file.path)


def _serve(folder: str, port: int) -> None:
    """Serve event files until Ctrl-C; what TensorBoard starts ends with this process."""
    from bai.specs.errors import RuntimeFailure

    # TensorBoard itself logs each request that it answers.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    from tensorboard import program

    board = program.TensorBoard()
    board.configure(argv=["", "--logdir", folder, "--host", "127.0.0.1", "--port", str(port)])
    try:
        address = board.launch()
    except program.TensorBoardServerException as error:
        raise RuntimeFailure(f"TensorBoard does not start: {error}") from None
    typer.echo(f"TensorBoard at {address} (Ctrl-C ends it)")
    sys.stdout.flush()
    threading.Event().wait()
