"""What both training scripts do alike: their options, and images as batches of numbers."""

import argparse
from pathlib import Path

import numpy as np


def options(description: str) -> argparse.Namespace:
    """Return the options of the command line; the defaults are the tutorial's."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-d", "--dir", type=Path, required=True, help="folder on the share")
    parser.add_argument("--epochs", type=int, default=25)
    parser.add_argument("--batch-size", type=int, default=32, help="images per rank and step")
    parser.add_argument("--learning-rate", type=float, default=1e-4, help="of one rank")
    parser.add_argument("--warmup-epochs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def scaled(pixels: np.ndarray) -> np.ndarray:
    """Return pixels (n, 32, 32, 3) from 0 to 255 as numbers from 0 to 1, of type float32."""
    return pixels.astype(np.float32) / 255


def augmented(pixels: np.ndarray, random: np.random.Generator, *, shift: float = 0.1) -> np.ndarray:
    """Flip half of the images (n, rows, columns, colours), and shift each; return others.

    The border of an image fills what a shift leaves empty.

    Args:
        pixels: the images.
        random: decides, for each image.
        shift: the most, as a fraction of rows and of columns.
    """
    count, height, width, _ = pixels.shape
    most_down, most_across = round(shift * height), round(shift * width)
    down = random.integers(-most_down, most_down, (count, 1, 1), endpoint=True)
    across = random.integers(-most_across, most_across, (count, 1, 1), endpoint=True)
    flip = random.random((count, 1, 1)) < 0.5
    from_row = np.clip(np.arange(height)[:, None] + down, 0, height - 1)
    from_column = np.clip(np.arange(width) + across, 0, width - 1)
    from_column = np.where(flip, width - 1 - from_column, from_column)
    return pixels[np.arange(count)[:, None, None], from_row, from_column]
