"""Makes a small ImageNet: archives of the official form with images that a network can learn.

The ten classes are five patterns, each in two colours. Where the folder has archives or their
images, which may be the real ones, nothing is made.
"""

import argparse
import io
import tarfile
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from PIL import Image
from prepare import DEVKIT, DEVKIT_META, DEVKIT_TRUTH, TRAIN, VALIDATION, locked
from scipy.io import savemat

CLASSES = (
    *("n01440764", "n01443537", "n01484850", "n01491361", "n01494475"),
    *("n01496331", "n01498041", "n01514668", "n01514859", "n01518878"),
)
"""WordNet ids of ImageNet's first ten classes, from the tench to the ostrich."""


def pattern(kind: int, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return one of five patterns, from -1 to 1, that look the same in a mirror."""
    across, down = np.sin(columns), np.sin(rows)
    if kind < 3:
        return (across, down, across * down)[kind]
    distance = np.hypot(rows - rows.mean(), columns - columns.mean())
    return np.sin(distance) if kind == 3 else np.zeros_like(distance)


def image(label: int, random: np.random.Generator) -> bytes:
    """Return a JPEG image of a class, 56 to 95 pixels wide and high."""
    height, width = random.integers(56, 96, size=2)
    wave = random.uniform(0.35, 0.5)
    rows, columns = np.mgrid[:height, :width] * wave + random.uniform(0, 2 * np.pi, (2, 1, 1))
    colour = np.array([0.9, 0.5, 0.2] if label < 5 else [0.2, 0.5, 0.9])
    pixels = 255 * (0.5 + 0.5 * pattern(label % 5, rows, columns))[..., None] * colour
    pixels += random.normal(0, 25, (height, width, 3))
    file = io.BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=85)
    return file.getvalue()


def pack(files: Mapping[str, bytes], mode: str = "w") -> bytes:
    """Return an archive of files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def train_archive(label: int, count: int) -> bytes:
    """Return the archive of the training images of a class."""
    random = np.random.default_rng([label, 0])
    name = CLASSES[label]
    return pack({f"{name}_{number}.JPEG": image(label, random) for number in range(1, count + 1)})


def validation_archive(labels: np.ndarray) -> bytes:
    """Return the archive of validation images with these labels, (n,)."""
    random = np.random.default_rng(2)
    return pack(
        {
            f"ILSVRC2012_val_{number:08}.JPEG": image(label, random)
            for number, label in enumerate(labels, start=1)
        }
    )


def devkit(labels: np.ndarray, count: int) -> bytes:
    """Return the development kit: the validation images' labels, (n,), and what the classes are."""
    kind = [
        (name, object) for name in ("ILSVRC2012_ID", "WNID", "num_children", "num_train_images")
    ]
    synsets = [(number, name, 0, count) for number, name in enumerate(CLASSES, start=1)]
    synsets.append((len(CLASSES) + 1, "n00001740", len(CLASSES), 0))  # entity, above all of them
    meta = io.BytesIO()
    savemat(meta, {"synsets": np.array(synsets, dtype=kind)[:, None]})
    truth = "".join(f"{label + 1}\n" for label in labels)
    return pack({DEVKIT_META: meta.getvalue(), DEVKIT_TRUTH: truth.encode()}, "w:gz")


def archives(train: int, validation: int) -> dict[str, bytes]:
    """Return the three archives by name, with so many images of each class."""
    labels = np.random.default_rng(1).permutation(np.repeat(np.arange(len(CLASSES)), validation))
    with ProcessPoolExecutor() as pool:
        of_classes = pool.map(train_archive, range(len(CLASSES)), [train] * len(CLASSES))
        packed = {f"{name}.tar": data for name, data in zip(CLASSES, of_classes, strict=True)}
    return {
        TRAIN: pack(packed),
        VALIDATION: validation_archive(labels),
        DEVKIT: devkit(labels, train),
    }


def main() -> None:
    """Make the archives, unless something is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, metavar="DATA", help="folder for the archives")
    parser.add_argument("--train", type=int, default=60, help="training images of each class")
    parser.add_argument("--validation", type=int, default=20, help="validation images of each")
    options = parser.parse_args()
    with locked(options.data):
        # Whatever else lies there may be ImageNet itself; this mark says that it was begun here.
        begun = options.data / ".made"
        names = [TRAIN, VALIDATION, DEVKIT, "train", "validation"]
        if not begun.exists() and any((options.data / name).exists() for name in names):
            return
        begun.touch()
        for name, archive in archives(options.train, options.validation).items():
            partial = options.data / f".{name}.partial"
            partial.write_bytes(archive)
            partial.rename(options.data / name)
        begun.unlink()


if __name__ == "__main__":
    main()
