"""Anchors: the boxes that the detector starts from, and what each of them should become."""

from typing import NamedTuple

import torch
from boxes import encode, iou
from torch import Tensor

RATIOS = (0.5, 1.0, 2.0)
SCALES = (1.0, 2 ** (1 / 3), 2 ** (2 / 3))
PER_CELL = len(RATIOS) * len(SCALES)

BACKGROUND = -1
IGNORED = -2


class Targets(NamedTuple):
    """What the anchors of some images should say."""

    labels: Tensor
    """(images, anchors): index of the class, BACKGROUND or IGNORED."""
    offsets: Tensor
    """(images, anchors, 4): offsets to the object, 0 for anchors without one."""


def anchor_grid(size: int, levels: tuple[int, ...], scale: float) -> Tensor:
    """Return the anchors (a, 4) of a square image, in the order of the model's output.

    Args:
        size: width and height of the image in pixels.
        levels: levels of the pyramid; the cells of level 3 are 2 ** 3 pixels wide.
        scale: size of the smallest anchor of a level, in cells.
    """
    return torch.cat([_level(size, 2**level, scale) for level in levels])


def _level(size: int, stride: int, scale: float) -> Tensor:
    """Return the anchors (rows * columns * PER_CELL, 4) of one level."""
    cells = -(-size // stride)
    middles = (torch.arange(cells) + 0.5) * stride
    y, x = torch.meshgrid(middles, middles, indexing="ij")
    centres = torch.stack([x, y], dim=2).reshape(-1, 1, 2)
    sides = torch.tensor([scale * stride * s for s in SCALES])[:, None]
    ratios = torch.tensor(RATIOS).sqrt()[None, :]
    sizes = torch.stack([sides / ratios, sides * ratios], dim=2).reshape(1, -1, 2)
    return torch.cat([centres - sizes / 2, centres + sizes / 2], dim=2).reshape(-1, 4)


def match(anchors: Tensor, boxes: list[Tensor], labels: list[Tensor]) -> Targets:
    """Return the targets of all images of a batch.

    Args:
        anchors: (a, 4).
        boxes: objects of each image, (n, 4).
        labels: their classes, (n,).
    """
    matched = [_match_one(anchors, b, n) for b, n in zip(boxes, labels, strict=True)]
    return Targets(*(torch.stack(parts) for parts in zip(*matched, strict=True)))


def _match_one(anchors: Tensor, boxes: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return the labels (a,) and offsets (a, 4) of one image, by the thresholds of RetinaNet.

    An anchor has the object that it overlaps most: an overlap of 0.5 makes it that object's, one
    below 0.4 background, and what is between is ignored. The best anchor of an object is its own
    whatever the overlap.
    """
    found = torch.full((len(anchors),), BACKGROUND, device=anchors.device)
    offsets = torch.zeros_like(anchors)
    if len(boxes) == 0:
        return found, offsets
    overlaps = iou(anchors, boxes)
    best, owner = overlaps.max(dim=1)
    found[best >= 0.4] = IGNORED
    own = best >= 0.5
    favourite = overlaps.argmax(dim=0)
    owner[favourite] = torch.arange(len(boxes), device=anchors.device)
    own[favourite] = True
    found[own] = labels[owner[own]]
    offsets[own] = encode(boxes[owner[own]], anchors[own])
    return found, offsets
