"""RetinaNet (Lin et al., 2017): a residual backbone, a feature pyramid, and two heads.

GroupNorm takes the place of batch normalization: it does not depend on how many images a rank has
in a batch, and has no running values that ranks would have to agree on.
"""

import math
from dataclasses import dataclass

import torch
from anchors import PER_CELL
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True)
class Design:
    """The size of a detector."""

    stem: int
    """Channels behind the first convolution, which halves the image."""
    widths: tuple[int, ...]
    """Channels of the stages C2, C3, C4, C5, whose cells are 4, 8, 16 and 32 pixels wide."""
    blocks: tuple[int, ...]
    """Residual blocks of each stage."""
    channels: int
    """Channels of the pyramid and of the heads."""
    depth: int
    """Hidden convolutions of each head."""
    levels: tuple[int, ...]
    """Levels of the pyramid: from 3 to 5, or further down."""
    anchor_scale: float
    """Size of the smallest anchor of a level, in cells."""


DESIGNS = {
    "tiny": Design(24, (32, 64, 96, 128), (1, 1, 1, 1), 64, 2, (3, 4, 5), 2.0),
    "resnet34": Design(64, (64, 128, 256, 512), (3, 4, 6, 3), 256, 4, (3, 4, 5, 6, 7), 4.0),
}
"""`tiny` for images of about 100 pixels on CPUs; `resnet34` as in the paper, for COCO on GPUs."""


def convolution(inputs: int, outputs: int, *, kernel: int = 3, stride: int = 1) -> nn.Sequential:
    """Return a convolution with GroupNorm: (b, inputs, h, w) to (b, outputs, h / stride, ...)."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False),
        nn.GroupNorm(8, outputs),
    )


class Residual(nn.Module):
    """Two convolutions beside a short cut: (b, inputs, h, w) to (b, outputs, h / stride, ...)."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.first = convolution(inputs, outputs, stride=stride)
        self.second = convolution(outputs, outputs)
        same = inputs == outputs and stride == 1
        self.shortcut = (
            nn.Identity() if same else convolution(inputs, outputs, kernel=1, stride=stride)
        )

    def forward(self, features: Tensor) -> Tensor:
        deep = self.second(functional.relu(self.first(features)))
        return functional.relu(deep + self.shortcut(features))


class Backbone(nn.Module):
    """Images (b, 3, s, s) to the features C3, C4, C5: cells of 8, 16 and 32 pixels."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.stem = convolution(3, design.stem, kernel=7, stride=2)
        stages, inputs = [], design.stem
        for width, blocks in zip(design.widths, design.blocks, strict=True):
            rest = [Residual(width, width, 1) for _ in range(blocks - 1)]
            stages.append(nn.Sequential(Residual(inputs, width, 2), *rest))
            inputs = width
        self.stages = nn.ModuleList(stages)

    def forward(self, images: Tensor) -> list[Tensor]:
        features, found = functional.relu(self.stem(images)), []
        for stage in self.stages:
            features = stage(features)
            found.append(features)
        return found[1:]


class Pyramid(nn.Module):
    """C3, C4, C5 to features with the same channels for each level, fine ones first."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        channels = design.channels
        self.lateral = nn.ModuleList(nn.Conv2d(width, channels, 1) for width in design.widths[1:])
        self.smooth = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(3))
        self.down = nn.ModuleList(
            nn.Conv2d(channels, channels, 3, stride=2, padding=1) for _ in design.levels[3:]
        )

    def forward(self, stages: list[Tensor]) -> list[Tensor]:
        merged = [lateral(stage) for lateral, stage in zip(self.lateral, stages, strict=True)]
        for fine, coarse in ((1, 2), (0, 1)):
            larger = functional.interpolate(merged[coarse], size=merged[fine].shape[2:])
            merged[fine] = merged[fine] + larger
        levels = [smooth(features) for smooth, features in zip(self.smooth, merged, strict=True)]
        for down in self.down:
            levels.append(down(functional.relu(levels[-1])))
        return levels


class Head(nn.Sequential):
    """Features (b, channels, h, w) to (b, PER_CELL * values, h, w)."""

    def __init__(self, design: Design, values: int) -> None:
        hidden = [
            nn.Sequential(convolution(design.channels, design.channels), nn.ReLU())
            for _ in range(design.depth)
        ]
        super().__init__(*hidden, nn.Conv2d(design.channels, PER_CELL * values, 3, padding=1))


class RetinaNet(nn.Module):
    """Images (b, 3, s, s) to logits (b, a, classes) and offsets (b, a, 4), for all a anchors."""

    def __init__(self, design: Design, classes: int) -> None:
        super().__init__()
        self.classes = classes
        self.backbone = Backbone(design)
        self.pyramid = Pyramid(design)
        self.class_head = Head(design, classes)
        self.box_head = Head(design, 4)
        _initialize(self.class_head[-1], chance=0.01)
        _initialize(self.box_head[-1], chance=0.5)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        levels = self.pyramid(self.backbone(images))
        logits = [_by_anchor(self.class_head(level), self.classes) for level in levels]
        offsets = [_by_anchor(self.box_head(level), 4) for level in levels]
        return torch.cat(logits, dim=1), torch.cat(offsets, dim=1)


def _by_anchor(output: Tensor, values: int) -> Tensor:
    """Return the output (b, PER_CELL * values, h, w) of a head as (b, h * w * PER_CELL, values)."""
    images, _, height, width = output.shape
    cells = output.reshape(images, PER_CELL, values, height, width).permute(0, 3, 4, 1, 2)
    return cells.reshape(images, height * width * PER_CELL, values)


def _initialize(last: nn.Module, chance: float) -> None:
    """Let a last convolution begin with this chance of an object at every anchor.

    With many more anchors than objects, a chance of one half would drown the objects in the loss.
    """
    assert isinstance(last, nn.Conv2d)
    assert last.bias is not None
    nn.init.normal_(last.weight, std=0.01)
    nn.init.constant_(last.bias, -math.log((1 - chance) / chance))
