"""Trains the network of the CIFAR-10 tutorial with Horovod and PyTorch."""

from pathlib import Path

import horovod.torch as hvd
import numpy as np
import torch
from batches import augmented, options, scaled
from cifar10 import Images, load
from torch import nn

from bai.metrics import report
from bai.training import Checkpoints, digest, require_identical, share


def network() -> nn.Sequential:
    """Return the model, with weights as Keras begins: images (n, 3, 32, 32) to scores (n, 10)."""
    model = nn.Sequential(
        *(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU()),
        *(nn.Conv2d(32, 32, 3), nn.ReLU()),
        *(nn.MaxPool2d(2), nn.Dropout(0.25)),
        *(nn.Conv2d(32, 64, 3, padding=1), nn.ReLU()),
        *(nn.Conv2d(64, 64, 3), nn.ReLU()),
        *(nn.MaxPool2d(2), nn.Dropout(0.25)),
        *(nn.Flatten(), nn.Linear(64 * 6 * 6, 512), nn.ReLU(), nn.Dropout(0.5)),
        nn.Linear(512, 10),
    )
    for layer in model:
        if isinstance(layer, nn.Conv2d | nn.Linear):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)
    return model


def tensor(pixels: np.ndarray) -> torch.Tensor:
    """Return pixels (n, 32, 32, 3) as a tensor (n, 3, 32, 32) of numbers from 0 to 1."""
    return torch.from_numpy(scaled(pixels)).permute(0, 3, 1, 2).contiguous()


class Training:
    """A model and its optimizer, the same on all ranks."""

    def __init__(self, *, learning_rate: float, warmup_epochs: int, seed: int) -> None:
        """Make them; the learning rate grows to that of all ranks in the epochs of the warm-up."""
        torch.manual_seed(seed)
        self.model = network()
        optimizer = torch.optim.RMSprop(self.model.parameters(), alpha=0.9, eps=1e-7)
        self._optimizer = hvd.DistributedOptimizer(
            optimizer, named_parameters=self.model.named_parameters()
        )
        self._learning_rate = learning_rate
        self._warmup_epochs = warmup_epochs
        self._seed = seed
        hvd.broadcast_parameters(self.model.state_dict(), root_rank=0)
        torch.manual_seed(seed + hvd.rank())  # Other units are dropped out on each rank.

    def save(self, path: Path) -> None:
        """Write all that resuming needs."""
        state = {"model": self.model.state_dict(), "optimizer": self._optimizer.state_dict()}
        torch.save(state, path)

    def resume(self, path: Path) -> None:
        """Go on with what `save` has written."""
        state = torch.load(path, weights_only=True)
        self.model.load_state_dict(state["model"])
        self._optimizer.load_state_dict(state["optimizer"])

    def epoch(self, number: int, images: Images, *, batch_size: int) -> tuple[float, int]:
        """Learn from this rank's share of all images.

        Returns:
            The mean loss of all ranks' images, and how many these were.
        """
        part = share(
            len(images.labels), rank=hvd.rank(), size=hvd.size(), seed=(self._seed, number)
        )
        random = np.random.default_rng((self._seed, number, hvd.rank()))
        starts = range(0, len(part), batch_size)
        losses, seen = 0.0, 0
        self.model.train()
        for step, start in enumerate(starts, start=1):
            batch = part[start : start + batch_size]
            self._set_learning_rate(number + step / len(starts))
            scores = self.model(tensor(augmented(images.pixels[batch], random)))
            loss = nn.functional.cross_entropy(scores, torch.from_numpy(images.labels[batch]))
            self._optimizer.zero_grad()
            loss.backward()
            self._optimizer.step()
            losses += float(loss.detach()) * len(batch)
            seen += len(batch)
        hvd.join()  # Some ranks may have one batch less.
        sums = hvd.allreduce(torch.tensor([losses, seen]).double(), op=hvd.Sum, name="epoch")
        return float(sums[0] / sums[1]), int(sums[1])

    def accuracy(self, images: Images) -> float:
        """Return the share of images that the model classifies right, each seen by one rank."""
        part = share(len(images.labels), rank=hvd.rank(), size=hvd.size(), seed=0)
        self.model.eval()
        with torch.no_grad():
            found = [self.model(tensor(images.pixels[few])).argmax(1) for few in batched(part)]
        right = (torch.cat(found).numpy() == images.labels[part]).sum()
        rights = hvd.allreduce(torch.tensor(float(right)), op=hvd.Sum, name="accuracy")
        return float(rights) / len(images.labels)

    def _set_learning_rate(self, epoch: float) -> None:
        warm = min(1.0, epoch / self._warmup_epochs) if self._warmup_epochs else 1.0
        for group in self._optimizer.param_groups:
            group["lr"] = self._learning_rate * (1 + warm * (hvd.size() - 1))


def batched(part: np.ndarray, size: int = 250) -> list[np.ndarray]:
    """Return indices in parts that are small enough for the memory."""
    return [part[start : start + size] for start in range(0, len(part), size)]


def save_model(model: nn.Module, path: Path) -> None:
    """Write the weights so that the file is whole whenever it is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)
    print(f"saved the model to {path}")


def main() -> None:
    """Train from the newest checkpoint on, and save the model."""
    chosen = options(__doc__)
    hvd.init()
    data = load(chosen.dir / "data")
    training = Training(
        learning_rate=chosen.learning_rate,
        warmup_epochs=chosen.warmup_epochs,
        seed=chosen.seed,
    )
    checkpoints = Checkpoints(chosen.dir / "checkpoints/torch")
    done, newest = hvd.broadcast_object(checkpoints.newest() or (0, None), root_rank=0)
    if newest:
        training.resume(newest)
        if hvd.rank() == 0:
            print(f"resumes after epoch {done}", flush=True)

    for number in range(done, chosen.epochs):
        loss, seen = training.epoch(number, data.train, batch_size=chosen.batch_size)
        if seen != len(data.train.labels):
            raise RuntimeError(f"{seen} images were seen, and there are {len(data.train.labels)}")
        accuracy = training.accuracy(data.test)
        if hvd.rank() == 0:
            checkpoints.save(number + 1, training.save)
            print(
                f"epoch {number + 1} of {chosen.epochs}  {seen} images seen once"
                f"  loss {loss:.4f}  test accuracy {accuracy:.4f}",
                flush=True,
            )
            report(step=number + 1, total=chosen.epochs, loss=loss, accuracy=accuracy)

    digests = hvd.allgather_object(digest(training.model.state_dict().values()))
    require_identical(digests)
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {digests[0]}")
        save_model(training.model, chosen.dir / "saved_models/torch_cifar10_trained_model.pt")
    hvd.shutdown()


if __name__ == "__main__":
    main()
