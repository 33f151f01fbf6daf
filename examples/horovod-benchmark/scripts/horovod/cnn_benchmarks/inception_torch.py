"""Inception v3 in PyTorch, without the auxiliary classifier, which tf_cnn_benchmarks has off.

Szegedy et al., https://arxiv.org/abs/1512.00567.
"""

import torch
from torch import nn

Size = int | tuple[int, int]


def conv(
    inputs: int, outputs: int, kernel: Size, stride: int = 1, *, same: bool = True
) -> nn.Module:
    """Return a convolution with batch norm and ReLU; `same` pads so that the size stays."""
    height, width = (kernel, kernel) if isinstance(kernel, int) else kernel
    padding = (height // 2, width // 2) if same else 0
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, bias=False),
        nn.BatchNorm2d(outputs, eps=0.001),
        nn.ReLU(),
    )


class Branches(nn.ModuleList):
    """Modules side by side, whose channels are put together."""

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the channels of all branches, in their order."""
        return torch.cat([branch(images) for branch in self], dim=1)


def _pooled(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.AvgPool2d(3, 1, 1), conv(inputs, outputs, 1))


def _block_35(inputs: int, pooled: int) -> Branches:
    """Return the block for 35 x 35 pixels: 224 channels and those of the pooled branch."""
    return Branches(
        [
            conv(inputs, 64, 1),
            nn.Sequential(conv(inputs, 48, 1), conv(48, 64, 5)),
            nn.Sequential(conv(inputs, 64, 1), conv(64, 96, 3), conv(96, 96, 3)),
            _pooled(inputs, pooled),
        ]
    )


def _to_17() -> Branches:
    """Return the reduction from 35 to 17 pixels: 288 to 768 channels."""
    return Branches(
        [
            conv(288, 384, 3, 2, same=False),
            nn.Sequential(conv(288, 64, 1), conv(64, 96, 3), conv(96, 96, 3, 2, same=False)),
            nn.MaxPool2d(3, 2),
        ]
    )


def _block_17(width: int) -> Branches:
    """Return the block for 17 x 17 pixels, 768 channels, with convolutions of 1x7 and 7x1."""
    row, column = (1, 7), (7, 1)
    return Branches(
        [
            conv(768, 192, 1),
            nn.Sequential(conv(768, width, 1), conv(width, width, row), conv(width, 192, column)),
            nn.Sequential(
                conv(768, width, 1),
                *(conv(width, width, column), conv(width, width, row)),
                *(conv(width, width, column), conv(width, 192, row)),
            ),
            _pooled(768, 192),
        ]
    )


def _to_8() -> Branches:
    """Return the reduction from 17 to 8 pixels: 768 to 1280 channels."""
    return Branches(
        [
            nn.Sequential(conv(768, 192, 1), conv(192, 320, 3, 2, same=False)),
            nn.Sequential(
                *(conv(768, 192, 1), conv(192, 192, (1, 7)), conv(192, 192, (7, 1))),
                conv(192, 192, 3, 2, same=False),
            ),
            nn.MaxPool2d(3, 2),
        ]
    )


def _block_8(inputs: int) -> Branches:
    """Return the block for 8 x 8 pixels: to 2048 channels."""
    wide = [conv(384, 384, (1, 3)), conv(384, 384, (3, 1))]
    deep = [conv(384, 384, (1, 3)), conv(384, 384, (3, 1))]
    return Branches(
        [
            conv(inputs, 320, 1),
            nn.Sequential(conv(inputs, 384, 1), Branches(wide)),
            nn.Sequential(conv(inputs, 448, 1), conv(448, 384, 3), Branches(deep)),
            _pooled(inputs, 192),
        ]
    )


def inception3(classes: int) -> nn.Sequential:
    """Return the network: images (n, 3, 299, 299) to scores (n, classes)."""
    return nn.Sequential(
        *(conv(3, 32, 3, 2, same=False), conv(32, 32, 3, same=False), conv(32, 64, 3)),
        nn.MaxPool2d(3, 2),
        *(conv(64, 80, 1), conv(80, 192, 3, same=False)),
        nn.MaxPool2d(3, 2),
        *(_block_35(192, 32), _block_35(256, 64), _block_35(288, 64)),
        _to_17(),
        *(_block_17(width) for width in (128, 160, 160, 192)),
        _to_8(),
        *(_block_8(1280), _block_8(2048)),
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout()),
        nn.Linear(2048, classes),
    )
