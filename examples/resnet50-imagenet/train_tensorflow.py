"""Trains ResNet-50 on ImageNet's folders or synthetic images with Horovod and TensorFlow."""

import argparse
import os
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

import horovod.tensorflow as hvd
import keras
import numpy as np
import tensorflow as tf
from batches import Loader
from options import checkpoint_folder, learning_rate, loaders, read_options
from resnet_keras import cross_entropy, resnet50, sgd
from results import Epoch, hits

from bai.training import Checkpoints, digest, require_identical


class Training:
    """A model and its optimizer, the same on all ranks."""

    def __init__(self, options: argparse.Namespace, classes: int) -> None:
        """Make them."""
        self.model = resnet50(classes, options.image_size)
        self.optimizer = sgd(options.learning_rate)
        self.optimizer.build(self.model.trainable_variables)
        self.losses = cross_entropy(options.label_smoothing, reduction=None)
        self.classes = classes

    @property
    def variables(self) -> list[keras.Variable]:
        """All that the training goes on from."""
        return [*self.model.weights, *self.optimizer.variables]

    @tf.function
    def step(self, images: tf.Tensor, labels: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
        """Learn from images (n, h, w, 3), labels (n,) and weights (n,); return the losses (n,)."""
        with tf.GradientTape() as tape:
            scores = self.model(images, training=True)
            losses = self.losses(tf.one_hot(labels, self.classes), scores)
            loss = tf.reduce_mean(losses * weights)
        variables = self.model.trainable_variables
        gradients = hvd.grouped_allreduce(tape.gradient(loss, variables))
        self.optimizer.apply_gradients(zip(gradients, variables, strict=True))
        return losses

    @tf.function
    def scores(self, images: tf.Tensor) -> tf.Tensor:
        """Return the scores (n, classes) of images (n, h, w, 3)."""
        return self.model(images, training=False)


def total(values: np.ndarray) -> np.ndarray:
    """Return the sum of arrays of all ranks."""
    return hvd.allreduce(tf.constant(values), op=hvd.Sum).numpy()


def train(
    training: Training, loader: Loader, epoch: int, options: argparse.Namespace
) -> np.ndarray:
    """Learn from each image once; return (2,): the sum of their losses, and how many they are."""
    sums = np.zeros(2)
    for step, batch in enumerate(loader.training(epoch, options.seed)):
        rate = learning_rate(options, epoch + step / loader.steps, hvd.size())
        training.optimizer.learning_rate = rate
        losses = training.step(*map(tf.constant, (batch.images, batch.labels, batch.weights)))
        sums += losses.numpy()[batch.weights > 0].sum(), batch.count
    return total(sums)


def validate(training: Training, loader: Loader) -> np.ndarray:
    """Return how many of all validation images are recognized, as `hits` counts them, (3,)."""
    sums = np.zeros(3)
    for batch in loader.validation():
        scores = training.scores(tf.constant(batch.images)).numpy()
        sums += hits(scores, batch.labels, batch.weights)
    return total(sums)


def average_statistics(model: keras.Model) -> None:
    """Give all ranks the mean of their batch normalizations' statistics, which are no weights."""
    for variable in model.non_trainable_weights:
        variable.assign(hvd.allreduce(tf.convert_to_tensor(variable)))


def save(path: Path, variables: Iterable[keras.Variable]) -> None:
    """Write what the training goes on from."""
    with path.open("wb") as file:
        np.savez(file, *[variable.numpy() for variable in variables])


def resume(checkpoints: Checkpoints, variables: Iterable[keras.Variable]) -> int:
    """Give all ranks the state of rank 0, from its newest checkpoint; return the epochs done."""
    done = 0
    newest = checkpoints.newest() if hvd.rank() == 0 else None
    if newest:
        done, path = newest
        with np.load(path) as values:
            for variable, name in zip(variables, values.files, strict=True):
                variable.assign(values[name])
        print(f"going on after epoch {done}, from {path}", flush=True)
    for variable in variables:
        variable.assign(hvd.broadcast(tf.convert_to_tensor(variable), root_rank=0))
    return hvd.broadcast_object(done, root_rank=0)


def main() -> None:
    """Train, and save the model."""
    options = read_options(__doc__)
    hvd.init()
    if gpus := tf.config.list_physical_devices("GPU"):
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    keras.utils.set_random_seed(options.seed)
    loader, validation = loaders(options, hvd.rank(), hvd.size())
    training = Training(options, loader.images.classes)
    folder = checkpoint_folder(options, "tensorflow")
    checkpoints = Checkpoints(folder)

    for done in range(resume(checkpoints, training.variables), options.epochs):
        start = time.perf_counter()
        loss, trained = train(training, loader, done, options)
        seconds = time.perf_counter() - start
        average_statistics(training.model)
        epoch = Epoch(
            done + 1, loss / trained, int(trained), seconds, validate(training, validation)
        )
        epoch.require_each_once(len(loader.images.labels), len(validation.images.labels))
        if hvd.rank() == 0:
            checkpoints.save(epoch.number, lambda path: save(path, training.variables))
            epoch.show(options.epochs)

    mine = digest(training.model.get_weights())
    require_identical(hvd.allgather_object(mine))
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {mine}")
        path = Path(os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", ".")) / "model.keras"
        training.model.save(path)
        shutil.rmtree(folder)
        print(f"saved the model to {path}")
    hvd.shutdown()


if __name__ == "__main__":
    main()
