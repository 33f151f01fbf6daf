"""Checkpoints that are there whole, or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

_NAME: Final = "epoch-{:05}"
_NAMED: Final = re.compile(r"epoch-(\d{5,})")
_PART: Final = ".{}.part"
"""The name of a checkpoint that is being written or removed."""
_RANKS: Final = ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
"""Variables that number the processes of a training, as Horovod and mpirun set them."""


class Checkpoints:
    """The checkpoints of one training in a folder, each a file or a folder named for its epoch.

    A process that is killed while it saves leaves the older checkpoint as it was. Only one process
    saves: rank 0.
    """

    def __init__(self, folder: str | os.PathLike[str], *, keep: int = 1) -> None:
        """Keep the newest checkpoints in a folder, which the first one makes.

        Raises:
            ValueError: `keep` is less than 1.
        """
        if keep < 1:
            raise ValueError(f"keep is {keep}: at least the newest checkpoint is kept")
        self._folder = Path(folder)
        self._keep = keep

    def save(self, epoch: int, write: Callable[[Path], object]) -> Path:
        """Save the checkpoint of an epoch, and remove those that are too old.

        Args:
            epoch: epochs trained so far, more than those of any checkpoint in the folder.
            write: is called with a path at which it makes a file, or a folder with files. Whatever
                it raises is raised here, and leaves all as it was.

        Returns:
            The checkpoint's path.

        Raises:
            RuntimeError: this process is another rank than 0.
            ValueError: a checkpoint of that epoch or of a later one is there: it belongs to another
                training, or this one did not resume from it. Or `write` made nothing.
            OSError: it can't be written.
        """
        self._check_rank()
        found = self._found()
        if epoch < 0 or (found and epoch <= max(found)):
            newest = f"that of epoch {max(found)} is there already" if found else "it is negative"
            raise ValueError(
                f"no checkpoint of epoch {epoch} can be saved in {self._folder}: {newest}"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        self._clean()
        goal = self._folder / _NAME.format(epoch)
        part = self._part(goal)
        try:
            write(part)
            _to_disk(part)
            part.rename(goal)
        except BaseException:
            _remove(part)
            raise
        _sync(self._folder)
        found[epoch] = goal
        for old in sorted(found)[: -self._keep]:
            found[old].rename(self._part(found[old]))
        self._clean()
        return goal

    def newest(self) -> tuple[int, Path] | None:
        """Return the epoch and the path of the newest checkpoint, or None if there is none."""
        return max(self._found().items(), default=None)

    def _check_rank(self) -> None:
        """Keep ranks from writing to one file at once.

        Raises:
            RuntimeError: this process is another rank than 0.
        """
        rank = next((os.environ[name] for name in _RANKS if os.environ.get(name)), "0")
        if rank != "0":
            raise RuntimeError(
                f"rank {rank} saves a checkpoint in {self._folder}, as rank 0 does: call save on "
                "rank 0 alone (`if hvd.rank() == 0:`)"
            )

    def _found(self) -> dict[int, Path]:
        """Return epoch -> checkpoint."""
        paths = self._folder.iterdir() if self._folder.is_dir() else ()
        return {int(name[1]): path for path in paths if (name := _NAMED.fullmatch(path.name))}

    def _part(self, path: Path) -> Path:
        return path.with_name(_PART.format(path.name))

    def _clean(self) -> None:
        """Remove what a process left that was killed while it wrote or removed a checkpoint."""
        for path in self._folder.glob(_PART.format("epoch-*")):
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    """Have a file, or a folder with all in it, on the disk, safe from a crash of the machine.

    Raises:
        ValueError: there is neither.
    """
    if not path.exists():
        raise ValueError(f"nothing was written to {path}")
    if path.is_dir():
        for each in path.iterdir():
            _to_disk(each)
    _sync(path)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # A file system that can't do this for folders.
            raise
    finally:
        os.close(handle)
