"""ResNet-50 in PyTorch ("Deep Residual Learning for Image Recognition", He and others, 2015).

As usual since, the 3 x 3 convolution of a block has the stride ("version 1.5"), and each block
begins as the identity ("Accurate, Large Minibatch SGD", Goyal and others, 2017).
"""

import torch
from torch import nn

_STAGES = ((3, 64, 1), (4, 128, 2), (6, 256, 2), (3, 512, 2))
"""Of each stage: its blocks, their inner channels, the stride of the first one."""
_WIDER = 4
"""How many times the inner channels a block puts out."""


def convolution(channels: int, out: int, size: int, stride: int = 1) -> nn.Sequential:
    """Return a convolution with batch normalization, (n, channels, h, w) to (n, out, h', w')."""
    layer = nn.Conv2d(channels, out, size, stride, padding=size // 2, bias=False)
    nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
    return nn.Sequential(layer, nn.BatchNorm2d(out))


class Block(nn.Module):
    """A bottleneck with a way around it."""

    def __init__(self, channels: int, inner: int, stride: int) -> None:
        """Make a block for (n, channels, h, w) to (n, 4 * inner, h / stride, w / stride)."""
        super().__init__()
        out = inner * _WIDER
        self.convolutions = nn.Sequential(
            convolution(channels, inner, 1),
            nn.ReLU(inplace=True),
            convolution(inner, inner, 3, stride),
            nn.ReLU(inplace=True),
            convolution(inner, out, 1),
        )
        nn.init.zeros_(self.convolutions[-1][1].weight)
        same = stride == 1 and channels == out
        self.around = nn.Identity() if same else convolution(channels, out, 1, stride)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return what the block makes of (n, channels, h, w)."""
        return torch.relu(self.convolutions(images) + self.around(images))


def resnet50(classes: int) -> nn.Sequential:
    """Return the network: images (n, 3, h, w) to scores (n, classes)."""
    layers: list[nn.Module] = [
        convolution(3, 64, 7, 2),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, stride=2, padding=1),
    ]
    channels = 64
    for blocks, inner, stride in _STAGES:
        for number in range(blocks):
            layers.append(Block(channels, inner, stride if number == 0 else 1))
            channels = inner * _WIDER
    return nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)
    )
