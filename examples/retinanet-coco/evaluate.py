"""Turns what the model says into detections, and measures them as COCO does."""

import contextlib
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from boxes import decode, suppress
from coco_data import Batch, CocoSplit
from model import RetinaNet
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval
from torch import Tensor

CANDIDATES = 200
"""Of an image, those with the best scores, which go into non-maximum suppression."""
LIMIT = 100
"""Detections of an image that COCO's metric looks at."""
LEAST_SCORE = 0.05
OVERLAP = 0.5
"""More than this of a better detection's box makes a detection one of the same object."""


class Detections(NamedTuple):
    """What was found in an image, best score first."""

    boxes: Tensor
    """(n, 4): corners in pixels of the image that the model saw."""
    scores: Tensor
    """(n,)."""
    labels: Tensor
    """(n,)."""


def find_objects(logits: Tensor, offsets: Tensor, anchors: Tensor, size: int) -> Detections:
    """Return the detections of one image.

    Args:
        logits: (a, classes).
        offsets: (a, 4).
        anchors: (a, 4).
        size: width and height of the image; boxes end at its border.
    """
    scores = logits.sigmoid()
    best, places = scores.flatten().topk(min(CANDIDATES, scores.numel()))
    certain = best >= LEAST_SCORE
    best, places = best[certain], places[certain]
    anchor, labels = places // scores.shape[1], places % scores.shape[1]
    boxes = decode(offsets[anchor], anchors[anchor]).clamp(0, size)
    kept = suppress(boxes, best, labels, OVERLAP)[:LIMIT]
    return Detections(boxes[kept], best[kept], labels[kept])


@torch.no_grad()
def detect(model: RetinaNet, anchors: Tensor, pixels: Tensor) -> list[Detections]:
    """Return the detections of each of the images (b, 3, s, s)."""
    model.eval()
    logits, offsets = model(pixels)
    size = pixels.shape[3]
    outputs = zip(logits, offsets, strict=True)
    return [find_objects(*each, anchors, size) for each in outputs]


def coco_results(split: CocoSplit, batch: Batch, found: list[Detections]) -> list[dict[str, Any]]:
    """Return detections in COCO's format of results, in pixels of the files."""
    results = []
    for id, scale, detections in zip(batch.ids, batch.scales, found, strict=True):
        for box, score, label in zip(*(part.tolist() for part in detections), strict=True):
            x1, y1, x2, y2 = (value / scale for value in box)
            results.append(
                {
                    "image_id": id,
                    "category_id": split.category_ids[label],
                    "bbox": [x1, y1, x2 - x1, y2 - y1],
                    "score": score,
                }
            )
    return results


class Precision(NamedTuple):
    """COCO's two best known figures, 0 to 1."""

    mean: float
    """mAP: the average precision over overlaps from 0.5 to 0.95."""
    at_half: float
    """mAP50: with an overlap of 0.5."""


def average_precision(
    truth: COCO, results: Sequence[dict[str, Any]], ids: Sequence[int]
) -> Precision:
    """Return the precision of results for the images `ids`, by pycocotools.

    Raises:
        ValueError: `ids` are not all images, each once.
    """
    if sorted(ids) != sorted(truth.getImgIds()):
        raise ValueError(f"{len(ids)} images were evaluated, of {len(truth.getImgIds())}")
    if not results:
        return Precision(0.0, 0.0)
    with contextlib.redirect_stdout(io.StringIO()):
        evaluation = COCOeval(truth, truth.loadRes(list(results)), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return Precision(float(evaluation.stats[0]), float(evaluation.stats[1]))
