"""Containers of a run on this machine: recorded before they are made, so that none is left.

The record is a file of the attempt's folder. Whoever finds that a run has lost its supervisor
removes what it names, with the variables that the containers were made with.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from bai.runtime.containers.program import ContainerProgram

_SECONDS: Final = 60.0
"""How long the removal of a container may take."""

_VARIABLES: Final = ("CONTAINER", "DOCKER_", "STORAGE_", "XDG_")
"""Prefixes of the variables that say where podman and docker have their containers."""


def record(
    folder: Path, run: int, program: str, names: Sequence[str], environment: Mapping[str, str]
) -> None:
    """Record the containers that a run is about to make.

    Args:
        folder: the attempt's folder.
        run: the run's number.
        program: what makes them.
        names: their names.
        environment: the variables that it is run with.

    Raises:
        OSError: it can't be written.
    """
    kept = {
        name: value
        for name, value in environment.items()
        if name.startswith(_VARIABLES) or name in ("HOME", "PATH", "TMPDIR")
    }
    path = _file(folder, run)
    written = path.with_suffix(".new")
    written.write_text(json.dumps([program, list(names), kept]))
    written.replace(path)


def forget(folder: Path, run: int) -> None:
    """Remove the record: there are none of its containers any more."""
    with suppress(OSError):
        _file(folder, run).unlink(missing_ok=True)


def remove_recorded(folder: Path, run: int, scripts: Path) -> bool:
    """Remove the containers that a run has left, and the scripts of their processes.

    Args:
        folder: the attempt's folder.
        run: the run's number.
        scripts: the folder of the scripts, which have values of variables.

    Returns:
        Whether it is certain that none of them is left.
    """
    try:
        name, names, environment = json.loads(_file(folder, run).read_text())
    except FileNotFoundError:
        return True
    except (OSError, ValueError, TypeError):
        return False
    shutil.rmtree(scripts, ignore_errors=True)
    program = ContainerProgram(name)
    removed = [_remove(program, each, environment) for each in names]
    if all(removed):
        forget(folder, run)
    return all(removed)


def _remove(program: ContainerProgram, name: str, environment: Mapping[str, str]) -> bool:
    try:
        done = subprocess.run(
            program.remove(name),
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 or program.is_absent(done.stderr)


def _file(folder: Path, run: int) -> Path:
    return folder / f"containers-{run}.json"
