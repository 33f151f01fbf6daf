"""One of the ranks that test_keras.py looks at; prints what it found as a line of JSON."""

import json
import os
import zipfile

import keras
import numpy as np

import bai.keras as hvd
from bai.training import digest, share

FOLDER = os.environ["AZ_BATCHAI_OUTPUT_FOUND"]
RNG = np.random.default_rng(7)
IMAGES = RNG.normal(size=(48, 6)).astype("float32")
ANSWERS = (IMAGES @ RNG.normal(size=(6, 1)) + 0.3).astype("float32")


def network(*, built=True):
    layers = [keras.layers.Dense(5, activation="tanh"), keras.layers.Dropout(0.2)]
    layers = [*([keras.Input((6,))] if built else []), *layers, keras.layers.Dense(1)]
    return keras.Sequential(layers)


def compiled(optimizer, *, built=True):
    model = network(built=built)
    model.compile(optimizer=optimizer, loss="mse", metrics=["mae"])
    return model


def mine():
    part = share(len(IMAGES), rank=hvd.rank(), size=hvd.size(), seed=1)
    return IMAGES[part], ANSWERS[part]


def state(model):
    return digest(np.asarray(v) for v in [*model.weights, *model.optimizer.variables])


class Steps(keras.callbacks.Callback):
    """Keeps the learning rate of each step."""

    def on_train_begin(self, logs=None):
        self.rates = []

    def on_train_batch_end(self, batch, logs=None):
        self.rates.append(float(self.model.optimizer.learning_rate))


class Metrics(keras.callbacks.Callback):
    """Keeps the metrics of each epoch as a callback at its place sees them."""

    def on_train_begin(self, logs=None):
        self.seen = []

    def on_epoch_end(self, epoch, logs=None):
        self.seen.append(dict(logs))


def training():
    """Train in two goes, the second from the checkpoint of the first."""
    keras.utils.set_random_seed(hvd.rank())
    before, after, steps = Metrics(), Metrics(), Steps()
    found = {}
    for epochs in (2, 4):
        checkpoint = hvd.callbacks.Checkpoint(f"{FOLDER}/checkpoints")
        model = checkpoint.load_or(
            lambda: compiled(hvd.DistributedOptimizer(keras.optimizers.Adam(0.02)))
        )
        callbacks = [
            hvd.callbacks.BroadcastGlobalVariablesCallback(0),
            before,
            hvd.callbacks.MetricAverageCallback(),
            after,
            hvd.callbacks.LearningRateWarmupCallback(0.02, 2, verbose=1),
            hvd.callbacks.Report(),
            checkpoint,
            steps,
        ]
        history = model.fit(
            *mine(),
            batch_size=6,
            epochs=epochs,
            initial_epoch=checkpoint.initial_epoch,
            callbacks=callbacks,
            verbose=0,
        )
        found[f"after {epochs}"] = {
            "initial epoch": checkpoint.initial_epoch,
            "steps": int(model.optimizer.iterations),
            "state": state(model),
            "own": before.seen,
            "averaged": after.seen,
            "history": history.history["loss"],
            "rates": steps.rates,
        }
    return found


def saved():
    """Load the newest checkpoint as plain Keras does, and look at what is written there."""
    path = f"{FOLDER}/checkpoints/epoch-00004/model.keras"
    with zipfile.ZipFile(path) as archive:
        config = json.loads(archive.read("config.json"))["compile_config"]["optimizer"]
    model = keras.models.load_model(path)
    return {
        "module": config["module"],
        "class": config["class_name"],
        "plain": type(model.optimizer) is keras.optimizers.Adam
        and "apply" not in vars(model.optimizer),
        "steps": int(model.optimizer.iterations),
    }


def averaging(make):
    """Return how far ranks with halves are from one process with all of it, after three steps."""
    keras.utils.set_random_seed(3)
    model, alone = (
        keras.Sequential([keras.Input((6,)), keras.layers.Dense(5, "tanh"), keras.layers.Dense(1)])
        for _ in range(2)
    )
    alone.set_weights(model.get_weights())
    model.compile(optimizer=hvd.DistributedOptimizer(make()), loss="mse")
    alone.compile(optimizer=make(), loss="mse")
    own = slice(hvd.rank() * 24, hvd.rank() * 24 + 24)
    for _ in range(3):
        model.train_on_batch(IMAGES[own], ANSWERS[own])
        alone.train_on_batch(IMAGES, ANSWERS)
    pairs = zip(model.get_weights(), alone.get_weights(), strict=True)
    return max(float(np.abs(one - other).max()) for one, other in pairs)


def late():
    """Train a model that has no weights before its first batch; some ranks' has."""
    keras.utils.set_random_seed(hvd.rank())
    optimizer = hvd.DistributedOptimizer(keras.optimizers.SGD(0.05, momentum=0.9))
    model = compiled(optimizer, built=hvd.rank() == 0)
    broadcast = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
    model.fit(*mine(), batch_size=6, epochs=2, callbacks=[broadcast], verbose=0)
    return state(model)


def horovods_own():
    """Train with Horovod's own wrapper from the same weights, and return them."""
    import horovod.keras as own

    keras.utils.set_random_seed(5)
    model = compiled(own.DistributedOptimizer(keras.optimizers.SGD(0.05)))
    model.fit(*mine(), batch_size=6, epochs=2, verbose=0)
    return digest(model.get_weights())


def refused():
    """Return what is said of what can't be done."""
    wrapped = hvd.DistributedOptimizer(keras.optimizers.SGD())
    scaled = compiled(keras.optimizers.LossScaleOptimizer(wrapped))
    jitted = network()
    jitted.compile(optimizer=wrapped, loss="mse", jit_compile=True)
    network().save(f"{FOLDER}/{hvd.rank()}.keras")
    broadcast = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
    tries = {
        "twice": lambda: hvd.DistributedOptimizer(wrapped),
        "name": lambda: hvd.DistributedOptimizer("sgd"),
        "scaled": lambda: scaled.fit(*mine(), callbacks=[broadcast], verbose=0),
        "jit": lambda: jitted.fit(*mine(), callbacks=[broadcast], verbose=0),
        "plain": lambda: hvd.load_model(f"{FOLDER}/{hvd.rank()}.keras"),
    }
    said = {}
    for name, attempt in tries.items():
        try:
            attempt()
        except (TypeError, ValueError) as error:
            said[name] = f"{type(error).__name__}: {error}"
    return said


def scaled():
    """Have a loss scale around the optimizer that averages; a good one changes nothing."""
    return keras.optimizers.LossScaleOptimizer(keras.optimizers.SGD(0.1), initial_scale=8.0)


hvd.init()
FOUND = {
    "training": training(),
    "averaging": {
        "sgd": averaging(lambda: keras.optimizers.SGD(0.1, momentum=0.9)),
        "adam clipped": averaging(lambda: keras.optimizers.Adam(0.05, global_clipnorm=0.1)),
        "loss scale": averaging(scaled),
    },
    "late": late(),
    "values": {
        "sum": float(hvd.allreduce(float(hvd.rank() + 1), op=hvd.Sum)),
        "gathered": hvd.allgather(np.full(hvd.rank() + 1, hvd.rank())).tolist(),
        "sent": hvd.broadcast(np.array([hvd.rank()]), 1).tolist(),
    },
    "refused": refused(),
    "horovod": horovods_own(),
    "saved": saved() if hvd.rank() == 0 else None,
}
with open(f"{FOLDER}/{hvd.rank()}.json", "w") as file:  # noqa: PTH123
    json.dump(FOUND, file)
hvd.shutdown()
