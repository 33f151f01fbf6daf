"""Reads COCO, and deals its images out to ranks."""

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy
import torch
from layout import annotation_file, image_folder
from PIL import Image
from pycocotools.coco import COCO
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

MEAN, DEVIATION = 0.45, 0.25
"""Of the pixels of photographs, between 0 and 1."""


class Sample(NamedTuple):
    """An image, scaled to a square, and its objects."""

    pixels: Tensor
    """(3, size, size)."""
    boxes: Tensor
    """(n, 4): corners in pixels of the square."""
    labels: Tensor
    """(n,): index of the class."""
    id: int
    """COCO's id of the image."""
    scale: float
    """Pixels of the square for each pixel of the file."""
    weight: float
    """1, or 0 if the image only fills up a batch."""


class Batch(NamedTuple):
    """Some samples."""

    pixels: Tensor
    """(b, 3, size, size)."""
    boxes: list[Tensor]
    labels: list[Tensor]
    ids: list[int]
    scales: list[float]
    weights: Tensor
    """(b,)."""


class CocoSplit(Dataset[Sample]):
    """The images of a split of COCO, by their position."""

    def __init__(self, folder: Path, split: str, *, size: int, flip: bool = False) -> None:
        """Read the annotations.

        Args:
            folder: folder of the data set.
            split: `train` or `val`.
            size: width and height to scale images to; the shorter side is filled up.
            flip: whether every other image is mirrored, at random.

        Raises:
            OSError: the annotations can't be read.
        """
        with contextlib.redirect_stdout(io.StringIO()):
            self.coco = COCO(str(annotation_file(folder, split)))
        self.ids: list[int] = sorted(self.coco.getImgIds())
        self.category_ids: list[int] = sorted(self.coco.getCatIds())
        self.names: list[str] = [c["name"] for c in self.coco.loadCats(self.category_ids)]
        self._labels = {id: label for label, id in enumerate(self.category_ids)}
        self._folder = image_folder(folder, split)
        self._size = size
        self._flip = flip

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, index: int) -> Sample:
        id = self.ids[index]
        pixels, scale = self._read(self.coco.loadImgs(id)[0]["file_name"])
        # Crowds are regions with many objects: COCO's evaluation leaves them out as well.
        objects = self.coco.loadAnns(self.coco.getAnnIds(imgIds=id, iscrowd=False))
        objects = [o for o in objects if min(o["bbox"][2:]) >= 1]
        boxes = torch.tensor([o["bbox"] for o in objects]).reshape(-1, 4) * scale
        boxes[:, 2:] += boxes[:, :2]
        labels = torch.tensor([self._labels[o["category_id"]] for o in objects], dtype=torch.long)
        if self._flip and torch.rand(()) < 0.5:
            pixels = pixels.flip(2)
            boxes[:, [0, 2]] = self._size - boxes[:, [2, 0]]
        return Sample(pixels, boxes, labels, id, scale, 1.0)

    def _read(self, name: str) -> tuple[Tensor, float]:
        """Return the pixels (3, size, size) of an image file, and its scale."""
        with Image.open(self._folder / name) as file:
            image = file.convert("RGB")
        scale = self._size / max(image.size)
        width, height = (max(1, round(side * scale)) for side in image.size)
        if image.size != (width, height):
            image = image.resize((width, height), Image.Resampling.BILINEAR)
        values = torch.from_numpy(numpy.asarray(image).copy()).permute(2, 0, 1)
        pixels = torch.zeros(3, self._size, self._size)
        pixels[:, :height, :width] = (values / 255 - MEAN) / DEVIATION
        return pixels, scale


class Share(Dataset[Sample]):
    """A rank's part of a split, filled up to a length that is the same on all ranks.

    All ranks make the same number of steps then, and each image still counts exactly once.
    """

    def __init__(self, split: CocoSplit, indices: Sequence[int], length: int) -> None:
        self._split = split
        self._indices = indices
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, position: int) -> Sample:
        if position < len(self._indices):
            return self._split[int(self._indices[position])]
        return self._split[0]._replace(weight=0.0)


def collate(samples: list[Sample]) -> Batch:
    """Return samples as a batch."""
    pixels, boxes, labels, ids, scales, weights = zip(*samples, strict=True)
    return Batch(
        torch.stack(pixels),
        list(boxes),
        list(labels),
        list(ids),
        list(scales),
        torch.tensor(weights),
    )


def batches(
    split: CocoSplit, indices: Sequence[int], *, length: int, size: int, workers: int
) -> DataLoader[Sample]:
    """Return the batches of the images at `indices`, in that order.

    Args:
        split: the images.
        indices: positions in it.
        length: number of images in all batches together; images that only fill up have weight 0.
        size: images in a batch; the last one has the rest.
        workers: processes that read ahead, or 0.
    """
    share = Share(split, indices, length)
    return DataLoader(share, batch_size=size, num_workers=workers, collate_fn=collate)
