"""Boxes as tensors (n, 4) of corners x1, y1, x2, y2 in pixels: overlap, coding, suppression."""

import math

import torch
from torch import Tensor

CODE_SCALES = (0.1, 0.1, 0.2, 0.2)
"""What offsets are divided by, so that all four are about as large (Faster R-CNN's values)."""

_LARGEST_GROWTH = math.log(1000 / 16)


def areas(boxes: Tensor) -> Tensor:
    """Return the areas (n,) of boxes (n, 4)."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def iou(first: Tensor, second: Tensor) -> Tensor:
    """Return the overlap (n, m), intersection over union, of boxes (n, 4) and boxes (m, 4)."""
    corner = torch.maximum(first[:, None, :2], second[None, :, :2])
    opposite = torch.minimum(first[:, None, 2:], second[None, :, 2:])
    common = (opposite - corner).clamp(min=0).prod(dim=2)
    union = areas(first)[:, None] + areas(second)[None, :] - common
    return common / union.clamp(min=1e-9)


def _centres_and_sizes(boxes: Tensor) -> tuple[Tensor, Tensor]:
    """Return the centres (n, 2) and the sizes (n, 2) of boxes (n, 4)."""
    return (boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]


def encode(boxes: Tensor, anchors: Tensor) -> Tensor:
    """Return the offsets (n, 4) that lead from anchors (n, 4) to boxes (n, 4) of positive size."""
    centres, sizes = _centres_and_sizes(boxes)
    anchor_centres, anchor_sizes = _centres_and_sizes(anchors)
    shifts = (centres - anchor_centres) / anchor_sizes
    growths = torch.log(sizes / anchor_sizes)
    return torch.cat([shifts, growths], dim=1) / shifts.new_tensor(CODE_SCALES)


def decode(offsets: Tensor, anchors: Tensor) -> Tensor:
    """Return the boxes (n, 4) to which offsets (n, 4) lead from anchors (n, 4)."""
    offsets = offsets * offsets.new_tensor(CODE_SCALES)
    anchor_centres, anchor_sizes = _centres_and_sizes(anchors)
    centres = anchor_centres + offsets[:, :2] * anchor_sizes
    sizes = anchor_sizes * offsets[:, 2:].clamp(max=_LARGEST_GROWTH).exp()
    return torch.cat([centres - sizes / 2, centres + sizes / 2], dim=1)


def suppress(boxes: Tensor, scores: Tensor, labels: Tensor, threshold: float) -> Tensor:
    """Return the indices (k,) of the boxes that non-maximum suppression keeps, best score first.

    A box goes if it overlaps one of the same label with a better score by more than the threshold.

    Args:
        boxes: (n, 4).
        scores: (n,), higher is better.
        labels: (n,).
        threshold: intersection over union, 0 to 1.
    """
    order = scores.argsort(descending=True, stable=True)
    boxes, labels = boxes[order], labels[order]
    rivals = (iou(boxes, boxes) > threshold) & (labels[:, None] == labels[None, :])
    kept = torch.ones(len(order), dtype=torch.bool, device=boxes.device)
    for index in range(len(order)):
        if kept[index]:
            kept[index + 1 :] &= ~rivals[index, index + 1 :]
    return order[kept]
