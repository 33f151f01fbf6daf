"""Makes a small data set in the format of CIFAR-10, unless the folder has one already.

The real one, https://www.cs.toronto.edu/~kriz/cifar.html, is read unchanged: unpack its binary or
its Python archive in the folder.
"""

import argparse
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from cifar10 import BINARY, PICKLED, Images

NAMES = ("airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck")
SIDE = 32


def drawn(count: int, random: np.random.Generator) -> Images:
    """Draw images (count, 32, 32, 3): five shapes in two families of colours, on noise.

    All classes have nearly as many images. Place, size and colour vary; none of the shapes becomes
    another one when it is flipped.
    """
    labels = random.permutation(np.arange(count) % len(NAMES))
    across, down = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    pixels = random.normal(110, 30, (count, SIDE, SIDE, 3))
    for image, label in zip(pixels, labels, strict=True):
        x, y = random.integers(12, SIDE - 12, 2)
        size = random.uniform(7, 11)
        side, height = np.abs(across - x), np.abs(down - y)
        far = np.hypot(side, height)
        shape = (
            far < size,
            (far < size) & (far > size / 2),
            (np.minimum(side, height) < size / 4) & (np.maximum(side, height) < size),
            (np.maximum(side, height) < size) & (down % 4 < 2),
            (np.maximum(side, height) < size) & (across % 4 < 2),
        )[label % 5]
        warm = random.uniform((180, 20, 20), (255, 110, 80))
        image[shape] += (warm if label < len(NAMES) // 2 else warm[::-1]) - 110
    return Images(pixels.clip(0, 255).astype(np.uint8), labels.astype(np.int64))


def rows(images: Images) -> np.ndarray:
    """Return images as the formats have them: (images, 3072), colours one after the other."""
    return images.pixels.transpose(0, 3, 1, 2).reshape(len(images.labels), -1)


def write_binary(folder: Path, batches: dict[str, Images]) -> None:
    """Write the files of the binary archive."""
    for name, images in batches.items():
        records = np.column_stack([images.labels.astype(np.uint8), rows(images)])
        records.tofile(folder / f"{name}.bin")
    (folder / "batches.meta.txt").write_text("\n".join(NAMES) + "\n\n", "ascii")


def write_pickled(folder: Path, batches: dict[str, Images]) -> None:
    """Write the files of the Python archive, as Python 3 reads them: with bytes as keys."""
    for name, images in batches.items():
        content = {b"data": rows(images), b"labels": images.labels.tolist()}
        (folder / name).write_bytes(pickle.dumps(content, protocol=2))
    meta = {b"label_names": [name.encode() for name in NAMES]}
    (folder / "batches.meta").write_bytes(pickle.dumps(meta, protocol=2))


WRITERS: dict[str, Callable[[Path, dict[str, Images]], None]] = {
    BINARY: write_binary,
    PICKLED: write_pickled,
}


def make(folder: Path, *, form: str, train: int, test: int, seed: int) -> None:
    """Make the data set below a folder, whole or not at all; another process may do the same.

    Args:
        folder: where to make it.
        form: `cifar-10-batches-bin` or `cifar-10-batches-py`.
        train: images to train on, in five batches.
        test: images to test with.
        seed: what other images depend on.
    """
    random = np.random.default_rng(seed)
    images = drawn(train, random)
    parts = np.array_split(np.arange(train), 5)
    batches = {
        f"data_batch_{number}": Images(images.pixels[part], images.labels[part])
        for number, part in enumerate(parts, start=1)
    }
    part = folder / f".{form}.{os.uname().nodename}.{os.getpid()}"
    part.mkdir(parents=True)
    WRITERS[form](part, batches | {"test_batch": drawn(test, random)})
    try:
        part.rename(folder / form)
    except OSError:
        shutil.rmtree(part)
        if not (folder / form).is_dir():
            raise


def main() -> None:
    """Make it, and say so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--format", choices=WRITERS, default=BINARY)
    parser.add_argument("--train", type=int, default=2001, help="images to train on")
    parser.add_argument("--test", type=int, default=500, help="images to test with")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [form for form in WRITERS if (options.folder / form).is_dir()]
    if found:
        print(f"{options.folder} has {found[0]} already")
        return
    make(
        options.folder,
        form=options.format,
        train=options.train,
        test=options.test,
        seed=options.seed,
    )
    print(f"made {options.train} + {options.test} images in {options.folder / options.format}")


if __name__ == "__main__":
    main()
