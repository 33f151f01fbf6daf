"""Trains a small convolutional network on handwritten digits with Horovod and PyTorch."""

import argparse
import os
from pathlib import Path

import horovod.torch as hvd
import torch
from sklearn.datasets import load_digits
from torch import nn

try:
    from bai.metrics import report
except ImportError:  # a plain Horovod run, in an environment without bai

    def report(**values: float) -> None:
        """Do nothing."""


def digits(*, rank: int, size: int) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return this rank's share of (train, test), each images (n, 1, 8, 8) and labels (n,)."""
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16
    labels = torch.tensor(data.target)
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))
    train, test = order[: len(order) * 4 // 5], order[len(order) * 4 // 5 :]
    # Every rank takes the same number of training images, so that all make the same steps.
    train = train[: len(train) // size * size]
    return (
        [images[train[rank::size]], labels[train[rank::size]]],
        [images[test[rank::size]], labels[test[rank::size]]],
    )


def network() -> nn.Sequential:
    """Return the model: images (n, 1, 8, 8) to scores (n, 10)."""
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 64),
        nn.ReLU(),
        nn.Linear(64, 10),
    )


def accuracy(model: nn.Module, images: torch.Tensor, labels: torch.Tensor) -> float:
    """Return the share of images that all ranks together classify right."""
    model.eval()
    with torch.no_grad():
        right = (model(images).argmax(1) == labels).sum()
    counts = torch.tensor([float(right), float(len(labels))])
    right_of_all, all_images = hvd.allreduce(counts, op=hvd.Sum, name="accuracy")
    return float(right_of_all / all_images)


def save(model: nn.Module, folder: Path) -> Path:
    """Write a checkpoint so that it is never seen half written, and return its path."""
    path = folder / "model.pt"
    torch.save(model.state_dict(), path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)
    return path


def main() -> None:
    """Train, and report the test accuracy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=32, help="images per rank and step")
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    options = parser.parse_args()

    hvd.init()
    torch.manual_seed(1)
    (images, labels), test = digits(rank=hvd.rank(), size=hvd.size())
    print(f"rank {hvd.rank()} of {hvd.size()} trains on {len(labels)} images", flush=True)

    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=options.learning_rate * hvd.size())
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)

    shuffle = torch.Generator().manual_seed(hvd.rank())
    for epoch in range(1, options.epochs + 1):
        model.train()
        for batch in torch.randperm(len(labels), generator=shuffle).split(options.batch_size):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images[batch]), labels[batch])
            loss.backward()
            optimizer.step()
        mean_loss = float(hvd.allreduce(loss.detach(), name="loss"))
        test_accuracy = accuracy(model, *test)
        if hvd.rank() == 0:
            print(f"epoch {epoch:2}  loss {mean_loss:.4f}  test accuracy {test_accuracy:.4f}")
            report(step=epoch, total=options.epochs, loss=mean_loss, accuracy=test_accuracy)

    if hvd.rank() == 0:
        path = save(model, Path(os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", ".")))
        print(f"saved the model to {path}")
    hvd.shutdown()


if __name__ == "__main__":
    main()
