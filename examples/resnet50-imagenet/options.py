"""The command line that the scripts of all frameworks have, and what follows from it."""

import argparse
import hashlib
import json
from pathlib import Path

from batches import Loader
from images import FolderImages, Images, SyntheticImages


def numbers(text: str) -> list[float]:
    """Return the numbers of a list with commas."""
    return [float(number) for number in text.split(",")]


def read_options(description: str) -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    add = parser.add_argument
    add("--data", default="synthetic", help="folder with train/ and validation/, or `synthetic`")
    add("--synthetic-images", type=int, default=1280, help="how many there are to learn from")
    add("--image-size", type=int, default=224, help="edge of the images, in pixels")
    add("--batch-size", type=int, default=32, help="images of each process in a step")
    add("--epochs", type=int, default=90, help="how many times each image is seen")
    add("--learning-rate", type=float, default=0.1, help="for 256 images in a step; more have more")
    add("--warmup-epochs", type=float, default=5.0, help="begin with the rate of a single process")
    add("--decay-epochs", type=numbers, default="30,60,80", help="each makes the rate a tenth")
    add("--label-smoothing", type=float, default=0.1, help="share of a label for other classes")
    add("--seed", type=int, default=1, help="of first weights, order and random parts of images")
    add("--workers", type=int, default=4, help="threads of each process that load images")
    add("--checkpoints", type=Path, default="checkpoints", help="folder for unfinished runs")
    return parser.parse_args()


def learning_rate(options: argparse.Namespace, epoch: float, ranks: int) -> float:
    """Return the learning rate at a point of the training.

    It is proportional to the number of images in a step, led up to in the warm-up epochs, and a
    tenth from each of the decay epochs on, as in "Accurate, Large Minibatch SGD" (Goyal and others,
    2017).

    Args:
        options: The command line.
        epoch: Epochs done: 1.5 in the middle of the second one.
        ranks: How many processes train together.
    """
    one = options.learning_rate * options.batch_size / 256
    if epoch < options.warmup_epochs:
        return one * (1 + (ranks - 1) * epoch / options.warmup_epochs)
    return one * ranks * 0.1 ** sum(epoch >= decay for decay in options.decay_epochs)


def checkpoint_folder(options: argparse.Namespace, framework: str) -> Path:
    """Return the folder for checkpoints of a run with these options; others have another one."""
    values = {k: v for k, v in vars(options).items() if k not in ("workers", "checkpoints")}
    values["data"] = Path(options.data).name  # mounts may be elsewhere in the next attempt
    key = hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:8]
    return options.checkpoints / f"{framework}-{key}"


def loaders(options: argparse.Namespace, rank: int, ranks: int) -> tuple[Loader, Loader]:
    """Return what loads a rank's share of the training images, and of the validation images."""
    train: Images
    validation: Images
    if options.data == "synthetic":
        train = SyntheticImages(options.synthetic_images)
        validation = SyntheticImages(max(options.synthetic_images // 5, ranks))
    else:
        train = FolderImages(Path(options.data) / "train")
        validation = FolderImages(Path(options.data) / "validation")
        if train.names != validation.names:
            raise SystemExit(f"train/ and validation/ in {options.data} have different classes")
    share = (options.image_size, options.batch_size, rank, ranks, options.workers)
    return Loader(train, *share), Loader(validation, *share)
