"""The networks in TensorFlow: images (n, size, size, 3) to scores (n, classes).

The large ones are those of keras.applications, without their trained weights.
"""

from collections.abc import Callable

import keras
from keras import layers
from options import Shape


def application(make: Callable[..., keras.Model]) -> Callable[[Shape], keras.Model]:
    """Return a function that makes a network of keras.applications."""
    return lambda shape: make(weights=None, classes=shape.classes, classifier_activation=None)


def resnet20(shape: Shape) -> keras.Model:
    """Return the ResNet with 20 layers for images of 32 pixels."""

    def conv(inputs: keras.KerasTensor, width: int, stride: int = 1) -> keras.KerasTensor:
        found = layers.Conv2D(width, 3, stride, "same", use_bias=False)(inputs)
        return layers.BatchNormalization()(found)

    images = layers.Input((shape.size, shape.size, 3))
    found = layers.ReLU()(conv(images, 16))
    for stage, width in enumerate((16, 32, 64)):
        for index in range(3):
            stride = 2 if stage and index == 0 else 1
            more = conv(layers.ReLU()(conv(found, width, stride)), width)
            if stride > 1:
                found = layers.Conv2D(width, 1, stride, use_bias=False)(found)
                found = layers.BatchNormalization()(found)
            found = layers.ReLU()(found + more)
    scores = layers.Dense(shape.classes)(layers.GlobalAveragePooling2D()(found))
    return keras.Model(images, scores)


def lenet(shape: Shape) -> keras.Model:
    """Return a small network of two convolutions, for images of 28 pixels."""
    return keras.Sequential(
        [
            layers.Input((shape.size, shape.size, 3)),
            layers.Conv2D(32, 5, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(64, 5, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dense(512, activation="relu"),
            layers.Dense(shape.classes),
        ]
    )


MODELS: dict[str, Callable[[Shape], keras.Model]] = {
    "resnet50": application(keras.applications.ResNet50),
    "resnet101": application(keras.applications.ResNet101),
    "inception3": application(keras.applications.InceptionV3),
    "vgg16": application(keras.applications.VGG16),
    "resnet20": resnet20,
    "lenet": lenet,
}
"""Name -> function from what it is trained on to the network."""
