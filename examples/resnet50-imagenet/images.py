"""Images and their labels, from ImageNet's folders or made up, without any framework."""

import math
from pathlib import Path
from typing import Protocol

import numpy as np
from PIL import Image

Box = tuple[float, float, float, float]
"""A part of an image: left, upper, right and lower edge, in pixels."""


class Images(Protocol):
    """Labelled images."""

    classes: int
    labels: np.ndarray
    """(n,), int64: the class of each image, below `classes`."""

    def load(self, index: int, size: int, random: np.random.Generator | None) -> np.ndarray:
        """Return an image (size, size, 3), uint8: a random part, or without `random` the middle."""


class FolderImages:
    """JPEG images in a folder for each class, with classes numbered in the order of their names."""

    def __init__(self, folder: Path) -> None:
        """Look up all names.

        Raises:
            ValueError: There are no images.
        """
        self.names = sorted(each.name for each in folder.glob("n*"))
        self.classes = len(self.names)
        of_classes = [sorted((folder / name).iterdir()) for name in self.names]
        self.paths = [path for paths in of_classes for path in paths]
        self.labels = np.repeat(np.arange(self.classes), [len(paths) for paths in of_classes])
        if not self.paths:
            raise ValueError(f"{folder} has no folders of images: run prepare.py first")

    def load(self, index: int, size: int, random: np.random.Generator | None) -> np.ndarray:
        """Return an image (size, size, 3), uint8: a random part, or without `random` the middle."""
        with Image.open(self.paths[index]) as image:
            width, height = image.size
            box = middle(width, height) if random is None else random_box(width, height, random)
            # JPEG images can be decoded at an eighth, a quarter or a half of their size.
            enough = size / min(box[2] - box[0], box[3] - box[1])
            image.draft("RGB", (math.ceil(width * enough), math.ceil(height * enough)))
            box = np.minimum(
                np.array(box) * np.tile(np.divide(image.size, (width, height)), 2),
                np.tile(image.size, 2),
            )
            part = image.convert("RGB").resize((size, size), Image.Resampling.BILINEAR, tuple(box))
        pixels = np.asarray(part)
        return pixels[:, ::-1] if random is not None and random.random() < 0.5 else pixels


class SyntheticImages:
    """Noise, always the same for one index: for measuring speed without a disk."""

    classes = 1000

    def __init__(self, count: int) -> None:
        """Make up so many images."""
        self.labels = np.arange(count) % self.classes

    def load(self, index: int, size: int, random: np.random.Generator | None) -> np.ndarray:
        """Return an image (size, size, 3), uint8."""
        del random  # noise has no parts
        return np.random.default_rng(index).integers(0, 256, (size, size, 3), np.uint8)


def middle(width: int, height: int) -> Box:
    """Return the square in the middle, 7/8 of the shorter edge (224 of 256 pixels)."""
    edge = 0.875 * min(width, height)
    left, upper = (width - edge) / 2, (height - edge) / 2
    return left, upper, left + edge, upper + edge


def random_box(width: int, height: int, random: np.random.Generator) -> Box:
    """Return a part of 8 to 100 percent of the area, 3/4 to 4/3 times as wide as high.

    As "Going deeper with convolutions" (Szegedy and others, 2014) trained, and most since.
    """
    for _ in range(10):
        area = width * height * random.uniform(0.08, 1)
        ratio = math.exp(random.uniform(-math.log(4 / 3), math.log(4 / 3)))
        wide, high = math.sqrt(area * ratio), math.sqrt(area / ratio)
        if wide <= width and high <= height:
            left, upper = random.uniform(0, width - wide), random.uniform(0, height - high)
            return left, upper, left + wide, upper + high
    return middle(width, height)
