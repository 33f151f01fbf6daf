"""CIFAR-10 in its two formats, as https://www.cs.toronto.edu/~kriz/cifar.html describes them."""

import pickle
from pathlib import Path
from typing import NamedTuple

import numpy as np

BINARY, PICKLED = "cifar-10-batches-bin", "cifar-10-batches-py"
PIXELS = (3, 32, 32)
"""Colours (red, green, blue), rows, columns: the order of an image's bytes."""


class Images(NamedTuple):
    """Some of the images, with their classes."""

    pixels: np.ndarray
    """Of type uint8, shape (images, 32, 32, 3)."""
    labels: np.ndarray
    """Of type int64, shape (images,), from 0 to 9."""


class Cifar10(NamedTuple):
    """The data set."""

    train: Images
    test: Images
    names: list[str]
    """The names of the classes."""


def load(folder: Path) -> Cifar10:
    """Read the data set from what one of the archives of CIFAR-10 has in it.

    Args:
        folder: where `cifar-10-batches-bin` or `cifar-10-batches-py` lies.

    Raises:
        FileNotFoundError: neither does, or a file of it is missing.
    """
    if (binary := folder / BINARY).is_dir():
        names = (binary / "batches.meta.txt").read_text("ascii").split()
        train = [_of_binary(binary / f"data_batch_{number}.bin") for number in range(1, 6)]
        return Cifar10(_joined(train), _of_binary(binary / "test_batch.bin"), names)
    pickled = folder / PICKLED
    if not pickled.is_dir():
        raise FileNotFoundError(f"there is neither {binary} nor {pickled}")
    train = [_of_pickle(pickled / f"data_batch_{number}") for number in range(1, 6)]
    names = [name.decode() for name in _unpickled(pickled / "batches.meta")[b"label_names"]]
    return Cifar10(_joined(train), _of_pickle(pickled / "test_batch"), names)


def _of_binary(path: Path) -> Images:
    """Read records of 3,073 bytes: the label, then the pixels."""
    records = np.fromfile(path, np.uint8).reshape(-1, 1 + np.prod(PIXELS))
    return _images(records[:, 1:], records[:, 0])


def _of_pickle(path: Path) -> Images:
    """Read the mapping of a batch that Python 2 has pickled, whose keys are bytes today."""
    batch = _unpickled(path)
    return _images(batch[b"data"], np.array(batch[b"labels"]))


def _images(rows: np.ndarray, labels: np.ndarray) -> Images:
    pixels = rows.reshape(-1, *PIXELS).transpose(0, 2, 3, 1)
    return Images(np.ascontiguousarray(pixels), labels.astype(np.int64))


def _joined(parts: list[Images]) -> Images:
    pixels, labels = zip(*parts, strict=True)
    return Images(np.concatenate(pixels), np.concatenate(labels))


class _Arrays(pickle.Unpickler):
    """Reads arrays and plain data, and no pickle that would run anything else."""

    def find_class(self, module: str, name: str) -> object:
        if (module.partition(".")[0], name) in {
            ("numpy", "_reconstruct"),
            ("numpy", "ndarray"),
            ("numpy", "dtype"),
            ("_codecs", "encode"),
        }:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is not in a file of CIFAR-10")


def _unpickled(path: Path) -> dict:
    with path.open("rb") as file:
        return _Arrays(file, encoding="bytes").load()
