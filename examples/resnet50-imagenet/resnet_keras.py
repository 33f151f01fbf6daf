"""ResNet-50 for TensorFlow and Keras: that of keras.applications, without trained weights."""

import keras

_KEPT = 0.9
"""Share of its statistics that a batch normalization keeps in a step, as in PyTorch. With Keras's
0.99, a network can't be tested before hundreds of steps."""


def resnet50(classes: int, size: int) -> keras.Model:
    """Return the network: images (n, size, size, 3) to scores (n, classes); size is at least 32.

    Each block begins as the identity ("Accurate, Large Minibatch SGD", Goyal and others, 2017).
    """
    model = keras.applications.ResNet50(
        weights=None, input_shape=(size, size, 3), classes=classes, classifier_activation=None
    )
    for layer in model.layers:
        if isinstance(layer, keras.layers.BatchNormalization):
            layer.momentum = _KEPT
            if layer.name.endswith("_3_bn"):  # the last one of a block
                layer.gamma.assign(keras.ops.zeros_like(layer.gamma))
    return model


def cross_entropy(label_smoothing: float, reduction: str | None) -> keras.losses.Loss:
    """Return the loss of scores (n, classes) for labels (n, classes) that are 0 or 1."""
    return keras.losses.CategoricalCrossentropy(
        from_logits=True, label_smoothing=label_smoothing, reduction=reduction
    )


def sgd(learning_rate: float) -> keras.optimizers.Optimizer:
    """Return stochastic gradient descent with momentum and decay of the weights.

    Keras takes the decay off the weights past the momentum; 0.001 is what 0.0001 in the gradients,
    as PyTorch has it, comes to with a momentum of 0.9.
    """
    return keras.optimizers.SGD(learning_rate, momentum=0.9, weight_decay=0.001)
