"""The loss of a detector: focal loss for the classes, smooth L1 loss for the boxes."""

import torch
from anchors import IGNORED, Targets
from torch import Tensor
from torch.nn import functional

ALPHA = 0.25
GAMMA = 2.0
BETA = 1 / 9
"""Where the smooth L1 loss turns from a parabola to a line."""


def focal_loss(logits: Tensor, truth: Tensor) -> Tensor:
    """Return the focal loss of each logit, of any shape (Lin et al., 2017, equation 5).

    Args:
        logits: scores before the sigmoid.
        truth: 1.0 where the class is right and 0.0 elsewhere, of the same shape.
    """
    entropy = functional.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    chance = torch.sigmoid(logits)
    miss = torch.where(truth > 0, 1 - chance, chance)
    balance = torch.where(truth > 0, ALPHA, 1 - ALPHA)
    return balance * miss**GAMMA * entropy


def detection_loss(
    logits: Tensor, offsets: Tensor, targets: Targets, weights: Tensor
) -> tuple[Tensor, Tensor]:
    """Return the summed loss of a batch, and how many anchors have an object; both scalars.

    The loss is divided by that count only when it is known for all ranks, so that ranks with few
    objects have no more weight than others.

    Args:
        logits: (images, anchors, classes).
        offsets: (images, anchors, 4).
        targets: what both should be.
        weights: (images,), 1 for an image that counts and 0 for padding.
    """
    classes = logits.shape[2]
    counts = weights[:, None].expand(targets.labels.shape)
    considered = torch.where(targets.labels == IGNORED, 0.0, counts)
    own = targets.labels >= 0
    truth = functional.one_hot(targets.labels.clamp(min=0), classes) * own[:, :, None]
    scores = focal_loss(logits, truth.to(logits.dtype)).sum(dim=2)
    errors = functional.smooth_l1_loss(
        offsets[own], targets.offsets[own], reduction="none", beta=BETA
    )
    loss = (scores * considered).sum() + (errors.sum(dim=1) * counts[own]).sum()
    return loss, counts[own].sum()
