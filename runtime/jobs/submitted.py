"""What a job takes from the process that submits it: the environment and the job's secrets.

A cluster's setup task takes the same from the process that puts the cluster.

A queued job has no process that could keep them, and who starts it later has others. So they are in
a file that only its user can read, from the submission to the end of the attempt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final
from uuid import uuid4

from bai.runtime.errors import StateError

_FILE: Final = "submitted.json"


@dataclass(frozen=True, slots=True, repr=False)
class Submitted:
    """What a job got when it was submitted."""

    environment: Mapping[str, str]
    """The variables of the process that submitted it, without those that are not for the job."""
    secrets: Mapping[str, str]
    """Name -> value of the variables that the job's `secrets` name."""
    withheld: tuple[str, ...] = ()
    """Variables that hold secrets which are not for the job, wherever its processes run."""
    registry_password: str | None = None
    """What the image of the job's container is pulled with; None if it needs none, or it is not
    known."""
    accounts: Mapping[str, str] = field(default_factory=dict)
    """Secrets of the real storage accounts that are mounted, by the marker of each one's place."""


def write_submitted(folder: Path, submitted: Submitted) -> None:
    """Write the file into a folder, which is made; all of it or nothing.

    Raises:
        OSError: the folder can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / f"{_FILE}.{uuid4().hex}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with open(os.open(written, flags, 0o600), "wb") as file:  # noqa: PTH123 - a handle
        # Variables need not be UTF-8.
        file.write(json.dumps(asdict(submitted)).encode())
        file.flush()
        os.fsync(file.fileno())
    written.replace(folder / _FILE)


def has_submitted(folder: Path) -> bool:
    """Return whether the file is there."""
    return (folder / _FILE).exists()


def read_submitted(folder: Path) -> Submitted:
    """Read the file in an attempt's folder.

    Raises:
        StateError: it is gone or damaged.
    """
    try:
        kept = json.loads((folder / _FILE).read_bytes())
        return Submitted(
            kept["environment"],
            kept["secrets"],
            tuple(kept["withheld"]),
            kept["registry_password"],
            kept["accounts"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        message = f"{folder / _FILE} is gone or damaged, and with it the job's environment"
        raise StateError(f"{message}: run the job again") from None


def remove_submitted(folder: Path) -> None:
    """Remove the file, if it is there."""
    (folder / _FILE).unlink(missing_ok=True)
