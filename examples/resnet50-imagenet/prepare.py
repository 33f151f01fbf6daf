"""Makes folders per class of ImageNet's official archives.

The folder DATA holds what image-net.org gives to download for ILSVRC2012:

    ILSVRC2012_img_train.tar         138 GB: an archive for each class, n01440764.tar and so on
    ILSVRC2012_img_val.tar           6 GB: 50,000 images side by side, without their classes
    ILSVRC2012_devkit_t12.tar.gz     2.5 MB: the class of each of those, a number from 1 to 1000,
                                     and the WordNet id and the size of each class

Afterwards it holds the images as well:

    train/n01440764/n01440764_10026.JPEG
    validation/n01440764/ILSVRC2012_val_00000293.JPEG

Many people have, in place of the development kit, a text file with the WordNet id of each
validation image, a line for each in the order of their names: `--validation-labels FILE` reads it.

No archive is unpacked as a whole: each image goes from the archive to its place. Started again
after an interruption, this goes on where it was. `train` and `validation` appear when they are
whole and their images have been counted; where both are, nothing is left to do.
"""

import argparse
import fcntl
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

TRAIN = "ILSVRC2012_img_train.tar"
VALIDATION = "ILSVRC2012_img_val.tar"
DEVKIT = "ILSVRC2012_devkit_t12.tar.gz"
DEVKIT_META = "ILSVRC2012_devkit_t12/data/meta.mat"
DEVKIT_TRUTH = "ILSVRC2012_devkit_t12/data/ILSVRC2012_validation_ground_truth.txt"

_CLASS = re.compile(r"n\d{8}")
_CLASS_ARCHIVE = re.compile(r"n\d{8}\.tar")
_TRAIN_IMAGE = re.compile(r"n\d{8}_\d+\.JPEG")
_VALIDATION_IMAGE = re.compile(r"ILSVRC2012_val_\d{8}\.JPEG")
_FIRST_BYTES = (b"\xff\xd8", b"\x89PNG")
"""Of JPEG, and of the one PNG that ImageNet calls n02105855_2933.JPEG."""
_PART = 500
"""How many validation images a thread takes at a time."""


class ArchiveError(Exception):
    """An archive is not what image-net.org gives; the message says which one, and how."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Make a folder, and let no other process, also of another node, prepare it meanwhile."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        fcntl.lockf(file, fcntl.LOCK_EX)
        yield


def read_devkit(path: Path) -> tuple[list[str], dict[str, int]]:
    """Read the development kit.

    Returns:
        The WordNet ids of the validation images, in the order of the images' names, and how many
        training images each class has.
    """
    from scipy.io import loadmat  # meta.mat is a file of MATLAB; nothing else here needs SciPy

    with tarfile.open(path) as kit:
        synsets = loadmat(kit.extractfile(DEVKIT_META), squeeze_me=True)["synsets"]
        numbers = kit.extractfile(DEVKIT_TRUTH).read().split()
    # Behind the 1,000 classes it lists what stands above them in WordNet.
    leaves = [synset for synset in synsets if synset["num_children"] == 0]
    names = {int(synset["ILSVRC2012_ID"]): str(synset["WNID"]) for synset in leaves}
    counts = {str(synset["WNID"]): int(synset["num_train_images"]) for synset in leaves}
    return [names[int(number)] for number in numbers], counts


def read_labels(path: Path) -> list[str]:
    """Return the WordNet ids of the validation images, in the order of the images' names."""
    labels = path.read_text(encoding="ascii").split()
    for line, label in enumerate(labels, start=1):
        if not _CLASS.fullmatch(label):
            raise ArchiveError(f"{path}:{line}: {label!r} is no WordNet id such as n01440764")
    return labels


def members(archive: tarfile.TarFile, of: str, name: re.Pattern[str]) -> list[tarfile.TarInfo]:
    """Return the members of an archive, each a file with a name of this kind and of its own.

    Raises:
        ArchiveError: Another member is there: a path, a link, a folder, an unknown name.
    """
    found = archive.getmembers()
    names = set()
    for member in found:
        if not member.isreg() or not name.fullmatch(member.name) or member.name in names:
            raise ArchiveError(
                f"{of}: unexpected member {member.name!r}, nothing of it was written"
            )
        names.add(member.name)
    return found


def write(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    """Write an image to a folder, unless an earlier try has written it."""
    path = folder / member.name
    if path.exists() and path.stat().st_size == member.size:
        return
    data = archive.extractfile(member).read()
    if not data.startswith(_FIRST_BYTES):
        raise ArchiveError(f"{member.name} is no image")
    path.write_bytes(data)


def unpack_class(archive: Path, packed: tarfile.TarInfo, folder: Path) -> tuple[str, int]:
    """Write the training images of one class; return its name and how many there are."""
    name = packed.name.removesuffix(".tar")
    with (
        tarfile.open(archive, "r:") as outer,
        tarfile.open(fileobj=outer.extractfile(packed), mode="r:") as images,
    ):
        found = members(images, packed.name, _TRAIN_IMAGE)
        (folder / name).mkdir(exist_ok=True)
        for image in found:
            write(images, image, folder / name)
    return name, len(found)


def unpack_train(archive: Path, folder: Path, workers: int) -> dict[str, int]:
    """Write all training images, several classes at a time; return how many each class has."""
    with tarfile.open(archive, "r:") as outer:
        classes = members(outer, archive.name, _CLASS_ARCHIVE)
    counts: dict[str, int] = {}
    with ThreadPoolExecutor(workers) as pool:
        for name, count in pool.map(lambda each: unpack_class(archive, each, folder), classes):
            counts[name] = count
            if len(counts) % 50 == 0:
                print(f"  {len(counts)} of {len(classes)} classes", flush=True)
    return counts


def unpack_validation(
    archive: Path, labels: Sequence[str], folder: Path, workers: int
) -> dict[str, int]:
    """Write each validation image to its class; return how many each class has."""
    with tarfile.open(archive, "r:") as images:
        found = members(images, archive.name, _VALIDATION_IMAGE)
    found.sort(key=lambda member: member.name)
    if len(found) != len(labels):
        raise ArchiveError(f"{archive.name} has {len(found)} images for {len(labels)} labels")
    for label in set(labels):
        (folder / label).mkdir(exist_ok=True)

    def unpack(start: int) -> None:
        with tarfile.open(archive, "r:") as images:
            for place in range(start, min(start + _PART, len(found))):
                write(images, found[place], folder / labels[place])

    with ThreadPoolExecutor(workers) as pool:
        for _ in pool.map(unpack, range(0, len(found), _PART)):
            pass
    return dict(Counter(labels))


def require_counts(what: str, found: Mapping[str, int], expected: Mapping[str, int]) -> None:
    """Compare how many images each class has.

    Raises:
        ArchiveError: A class has another number than expected, is missing, or should not be there.
    """
    for name in sorted(found.keys() | expected.keys()):
        have, want = found.get(name, 0), expected.get(name, 0)
        if have != want:
            raise ArchiveError(f"{what}: class {name} has {have} images, expected {want}")


def make(folder: Path, unpack: Callable[[Path], Mapping[str, int]]) -> None:
    """Make a folder of classes, which appears when it is whole; where it is, do nothing."""
    if folder.exists():
        return
    partial = folder.with_name(f".{folder.name}.partial")
    partial.mkdir(exist_ok=True)
    expected = unpack(partial)
    found = {each.name: sum(1 for _ in each.iterdir()) for each in partial.iterdir()}
    require_counts(str(partial), found, expected)
    partial.rename(folder)


def prepare(data: Path, validation_labels: Path | None, workers: int) -> None:
    """Make the folders `train` and `validation` of the archives in the same folder.

    Raises:
        ArchiveError: An archive is missing, cut off, or not what it should be.
    """
    train, validation = data / "train", data / "validation"
    if train.exists() and validation.exists():
        return
    label_file = validation_labels or data / DEVKIT
    for needed in (data / TRAIN, data / VALIDATION, label_file):
        if not needed.exists():
            raise ArchiveError(f"{needed} is missing (see image-net.org, and --help)")
    if validation_labels:
        labels, sizes = read_labels(validation_labels), None
    else:
        labels, sizes = read_devkit(label_file)

    def unpack_all(folder: Path) -> dict[str, int]:
        counts = unpack_train(data / TRAIN, folder, workers)
        if sizes is not None:
            require_counts(TRAIN, counts, sizes)
        elif counts.keys() != set(labels):
            raise ArchiveError(f"{TRAIN} and {validation_labels} do not have the same classes")
        return counts

    make(train, unpack_all)
    make(
        validation,
        lambda folder: unpack_validation(data / VALIDATION, labels, folder, workers),
    )


def summary(folder: Path) -> str:
    """Return in words what a folder of classes holds."""
    counts = [sum(1 for _ in each.iterdir()) for each in folder.iterdir()]
    return f"{folder}: {sum(counts):,} images of {len(counts):,} classes"


def main(arguments: Iterable[str] | None = None) -> None:
    """Prepare a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, metavar="DATA", help="folder of the archives")
    parser.add_argument("--validation-labels", type=Path, metavar="FILE")
    parser.add_argument("--workers", type=int, default=8, help="images written at once")
    options = parser.parse_args(arguments)
    try:
        with locked(options.data):
            prepare(options.data, options.validation_labels, options.workers)
    except tarfile.TarError as error:
        sys.exit(f"prepare.py: an archive in {options.data} is cut off or no archive: {error}")
    except ArchiveError as error:
        sys.exit(f"prepare.py: {error}")
    for name in ("train", "validation"):
        print(summary(options.data / name))


if __name__ == "__main__":
    main()
