"""The networks in PyTorch: images (n, 3, size, size) to scores (n, classes).

ResNet: He et al., https://arxiv.org/abs/1512.03385 (with the stride in the 3x3 convolution of a
bottleneck, as all implementations of today). VGG: Simonyan and Zisserman,
https://arxiv.org/abs/1409.1556. LeNet-5: LeCun et al., 1998.
"""

from collections.abc import Callable

import torch
from inception_torch import inception3
from torch import nn


def conv(inputs: int, outputs: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Return a convolution that keeps the size (divided by the stride), and its batch norm."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Residual(nn.Module):
    """Layers and a shortcut around them."""

    def __init__(self, layers: nn.Module, inputs: int, outputs: int, stride: int) -> None:
        """Add what comes in, projected where the shape changes, to what the layers return."""
        super().__init__()
        same = inputs == outputs and stride == 1
        self.shortcut = nn.Identity() if same else conv(inputs, outputs, 1, stride)
        self.layers = layers

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return channels (n, outputs, size / stride, size / stride)."""
        return torch.relu(self.layers(images) + self.shortcut(images))


def basic(inputs: int, width: int, stride: int) -> Residual:
    """Return two 3x3 convolutions: `inputs` to `width` channels."""
    layers = nn.Sequential(conv(inputs, width, 3, stride), nn.ReLU(), conv(width, width, 3))
    return Residual(layers, inputs, width, stride)


def bottleneck(inputs: int, width: int, stride: int) -> Residual:
    """Return a 3x3 convolution between two 1x1: `inputs` to four times `width` channels."""
    layers = nn.Sequential(
        *(conv(inputs, width, 1), nn.ReLU()),
        *(conv(width, width, 3, stride), nn.ReLU()),
        conv(width, 4 * width, 1),
    )
    return Residual(layers, inputs, 4 * width, stride)


def resnet(depths: list[int], classes: int) -> nn.Sequential:
    """Return a ResNet of bottlenecks for ImageNet, with so many of them in each stage."""
    layers: list[nn.Module] = [conv(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for stage, depth in enumerate(depths):
        width = 64 * 2**stage
        for index in range(depth):
            layers.append(bottleneck(inputs, width, 2 if stage and index == 0 else 1))
            inputs = 4 * width
    return nn.Sequential(*layers, *_head(inputs, classes))


def resnet20(classes: int) -> nn.Sequential:
    """Return the ResNet with 20 layers for images of 32 pixels."""
    layers: list[nn.Module] = [conv(3, 16, 3), nn.ReLU()]
    inputs = 16
    for stage, width in enumerate((16, 32, 64)):
        for index in range(3):
            layers.append(basic(inputs, width, 2 if stage and index == 0 else 1))
            inputs = width
    return nn.Sequential(*layers, *_head(inputs, classes))


def vgg16(classes: int) -> nn.Sequential:
    """Return VGG with 16 layers, for images of 224 pixels."""
    layers: list[nn.Module] = []
    inputs = 3
    for width, depth in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(depth):
            layers += [nn.Conv2d(inputs, width, 3, padding=1), nn.ReLU()]
            inputs = width
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(
        *layers,
        nn.Flatten(),
        *(nn.Linear(512 * 7 * 7, 4096), nn.ReLU(), nn.Dropout()),
        *(nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout()),
        nn.Linear(4096, classes),
    )


def lenet(classes: int) -> nn.Sequential:
    """Return a small network of two convolutions, for images of 28 pixels."""
    return nn.Sequential(
        *(nn.Conv2d(3, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Conv2d(32, 64, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2)),
        nn.Flatten(),
        *(nn.Linear(64 * 7 * 7, 512), nn.ReLU()),
        nn.Linear(512, classes),
    )


def _head(channels: int, classes: int) -> list[nn.Module]:
    return [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)]


MODELS: dict[str, Callable[[int], nn.Module]] = {
    "resnet50": lambda classes: resnet([3, 4, 6, 3], classes),
    "resnet101": lambda classes: resnet([3, 4, 23, 3], classes),
    "inception3": inception3,
    "vgg16": vgg16,
    "resnet20": resnet20,
    "lenet": lenet,
}
"""Name -> function from the number of classes to the network."""
