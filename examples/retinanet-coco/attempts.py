"""Finds what earlier attempts of a job have left.

Batch AI gives each attempt of a job a folder of its own for its outputs, `JOB/UUID/outputs`, side
by side. A new attempt goes on from the newest checkpoint in any of them.
"""

from pathlib import Path
from typing import Any

import torch

from bai.training import Checkpoints


def checkpoints(output: Path) -> Checkpoints:
    """Return the checkpoints of the attempt with these outputs."""
    return Checkpoints(output / "checkpoints")


def newest_checkpoint(output: Path, settings: dict[str, Any]) -> dict[str, Any] | None:
    """Return the newest checkpoint of this job's attempts, if it is one to go on from.

    That is one that was written with the same settings and before the last epoch; after a training
    that has ended, or with other settings, a new one begins.

    Args:
        output: folder of this attempt's outputs.
        settings: options of this training, with `epochs`, its number of epochs.

    Raises:
        FileExistsError: the attempt's own outputs are those of another training.
    """
    outputs = {output, *output.parent.parent.glob(f"*/{output.name}")}
    found = [(newest[1], each) for each in outputs if (newest := checkpoints(each).newest())]
    if not found:
        return None
    path, where = max(found, key=lambda pair: pair[0].stat().st_mtime)
    state: dict[str, Any] = torch.load(path, weights_only=True)
    if state["settings"] == settings and state["epoch"] < settings["epochs"]:
        return state
    if where == output:
        raise FileExistsError(f"{output} has a training that ended, or had other options")
    return None
