"""Measures training steps, and writes what tf_cnn_benchmarks writes, line by line."""

import argparse
import time
from collections.abc import Callable, Sequence

import numpy as np
from options import SHAPES

try:
    from bai.metrics import report
except ImportError:  # a plain Horovod run, in an environment without bai

    def report(**values: float) -> None:
        """Do nothing."""


RULE = "-" * 64
_DEVIATIONS = 1.4826
"""Median absolute deviations in a standard deviation of normal values."""


def speed(batch_size: int, seconds: Sequence[float]) -> tuple[float, float, float]:
    """Return images a second of one rank: mean, uncertainty and jitter.

    The mean is that over the whole time. The uncertainty is the standard error of the mean of the
    steps' speeds, the jitter their median absolute deviation, scaled to a standard deviation: as
    tf_cnn_benchmarks computes them.

    Args:
        batch_size: images in a step.
        seconds: how long each step took.
    """
    speeds = batch_size / np.asarray(seconds)
    uncertainty = np.std(speeds) / np.sqrt(len(speeds))
    jitter = _DEVIATIONS * np.median(np.abs(speeds - np.median(speeds)))
    return batch_size / float(np.mean(seconds)), float(uncertainty), float(jitter)


def header(options: argparse.Namespace, framework: str, device: str, layout: str, size: int) -> str:
    """Return the lines before the run.

    Args:
        options: the options of the command line.
        framework: name and version, `PyTorch: 2.13`.
        device: `cpu` or `gpu`.
        layout: the order of an image batch's dimensions, `NCHW`.
        size: number of ranks.
    """
    shape = SHAPES[options.model]
    images = options.batch_size * size
    lines = [
        framework.split(": "),
        ("Model", options.model),
        ("Dataset", f"{shape.dataset} (synthetic)"),
        ("Mode", "training"),
        ("Batch size", f"{images} global"),
        ("", f"{options.batch_size} per device"),
        ("Num batches", options.num_batches),
        ("Num epochs", f"{options.num_batches * images / shape.images:.2f}"),
        ("Devices", [f"horovod/{device}:{rank}" for rank in range(size)]),
        ("Data format", layout),
        ("Optimizer", options.optimizer),
        ("Variables", options.variable_update),
    ]
    text = [f"{name + ':' if name else '':<12} {value}" for name, value in lines]
    return "\n".join([*text, "=========="])


def step_line(step: int, batch_size: int, seconds: Sequence[float], loss: float) -> str:
    """Return the line about the steps so far."""
    mean, uncertainty, jitter = speed(batch_size, seconds)
    return (
        f"{step}\timages/sec: {mean:.1f} +/- {uncertainty:.1f} (jitter = {jitter:.1f})\t{loss:.3f}"
    )


def measure(train: Callable[[], float], options: argparse.Namespace, rank: int, size: int) -> None:
    """Run and time the steps; rank 0 writes the lines, and all ranks report their metrics.

    Args:
        train: makes one step on all ranks together, and returns this rank's loss.
        options: the options of the command line.
        rank: this rank.
        size: number of ranks.
    """
    say = print if rank == 0 else _silent
    say("Running warm up", flush=True)
    for _ in range(options.num_warmup_batches):
        train()
    say("Done warm up")
    say("Step\tImg/sec\ttotal_loss", flush=True)
    seconds = []
    for step in range(1, options.num_batches + 1):
        begun = time.perf_counter()
        loss = train()
        seconds.append(time.perf_counter() - begun)
        if step == 1 or step % options.display_every == 0:
            say(step_line(step, options.batch_size, seconds, loss), flush=True)
            mean, _, _ = speed(options.batch_size, seconds)
            report(step=step, total=options.num_batches, images_per_second=mean, loss=loss)
    total = size * options.batch_size * len(seconds) / sum(seconds)
    say(f"{RULE}\ntotal images/sec: {total:.2f}\n{RULE}", flush=True)
    report(total_images_per_second=total)


def _silent(*values: object, **options: object) -> None:
    """Print nothing."""
