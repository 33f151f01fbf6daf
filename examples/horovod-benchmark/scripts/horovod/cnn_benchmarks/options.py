"""The options of the benchmark, named as those of tf_cnn_benchmarks."""

import argparse
from dataclasses import dataclass

IMAGENET_IMAGES = 1_281_167
CIFAR_IMAGES = 50_000


@dataclass(frozen=True)
class Shape:
    """What a model is trained on."""

    size: int
    """Width and height of an image, in pixels."""
    classes: int
    dataset: str
    images: int
    """Number of images in the data set, which makes an epoch."""


def _imagenet(size: int) -> Shape:
    return Shape(size, 1000, "imagenet", IMAGENET_IMAGES)


SHAPES = {
    "resnet50": _imagenet(224),
    "resnet101": _imagenet(224),
    "inception3": _imagenet(299),
    "vgg16": _imagenet(224),
    # For CPUs.
    "resnet20": Shape(32, 10, "cifar10", CIFAR_IMAGES),
    "lenet": Shape(28, 10, "cifar10", CIFAR_IMAGES),
}
"""Model -> what it is trained on."""


def read_options() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Trains a network on synthetic images.")
    parser.add_argument("--model", choices=SHAPES, default="resnet20")
    parser.add_argument("--batch_size", type=positive, default=8, help="images per rank and step")
    parser.add_argument("--num_batches", type=positive, default=100, help="steps that are measured")
    parser.add_argument("--num_warmup_batches", type=natural, default=10, help="steps before them")
    parser.add_argument("--display_every", type=positive, default=10, help="steps between lines")
    parser.add_argument("--optimizer", choices=("sgd", "momentum"), default="sgd")
    parser.add_argument(
        "--variable_update",
        choices=("horovod",),
        default="horovod",
        help="how ranks agree on the weights",
    )
    return parser.parse_args()


def positive(text: str) -> int:
    """Return a number from 1 on."""
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return int(text)


def natural(text: str) -> int:
    """Return a number from 0 on."""
    if int(text) < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return int(text)
