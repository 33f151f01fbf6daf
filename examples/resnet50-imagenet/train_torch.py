"""Trains ResNet-50 on ImageNet's folders or synthetic images with Horovod and PyTorch."""

import argparse
import os
import shutil
import time
from pathlib import Path

import horovod.torch as hvd
import numpy as np
import torch
from batches import Batch, Loader
from options import checkpoint_folder, learning_rate, loaders, read_options
from resnet_torch import resnet50
from results import Epoch, hits
from torch import nn

from bai.training import Checkpoints, digest, require_identical

MOMENTUM = 0.9
WEIGHT_DECAY = 1e-4


def on_device(
    batch: Batch, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return images (n, 3, h, w), labels (n,) and weights (n,)."""
    images = torch.from_numpy(batch.images).permute(0, 3, 1, 2)
    return (
        images.to(device),
        torch.from_numpy(batch.labels).to(device),
        torch.from_numpy(batch.weights).to(device),
    )


def total(values: np.ndarray, name: str) -> np.ndarray:
    """Return the sum of arrays of all ranks."""
    return hvd.allreduce(torch.from_numpy(values), op=hvd.Sum, name=name).numpy()


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    loader: Loader,
    epoch: int,
    options: argparse.Namespace,
    device: torch.device,
) -> np.ndarray:
    """Learn from each image once; return (2,): the sum of their losses, and how many they are."""
    model.train()
    sums = np.zeros(2)
    for step, batch in enumerate(loader.training(epoch, options.seed)):
        rate = learning_rate(options, epoch + step / loader.steps, hvd.size())
        for group in optimizer.param_groups:
            group["lr"] = rate
        images, labels, weights = on_device(batch, device)
        optimizer.zero_grad()
        losses = nn.functional.cross_entropy(
            model(images), labels, reduction="none", label_smoothing=options.label_smoothing
        )
        (losses * weights).mean().backward()
        optimizer.step()
        sums += float(losses.detach()[weights > 0].sum()), batch.count
    return total(sums, "training")


def validate(model: nn.Module, loader: Loader, device: torch.device) -> np.ndarray:
    """Return how many of all validation images are recognized, as `hits` counts them, (3,)."""
    model.eval()
    sums = np.zeros(3)
    with torch.no_grad():
        for batch in loader.validation():
            images, _, _ = on_device(batch, device)
            sums += hits(model(images).cpu().numpy(), batch.labels, batch.weights)
    return total(sums, "validation")


def average_statistics(model: nn.Module) -> None:
    """Give all ranks the mean of their batch normalizations' statistics, which are no weights."""
    for name, value in model.named_buffers():
        if value.is_floating_point():
            value.copy_(hvd.allreduce(value, name=name))


def resume(
    checkpoints: Checkpoints,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    device: torch.device,
) -> int:
    """Give all ranks the state of rank 0, from its newest checkpoint; return the epochs done."""
    done = 0
    newest = checkpoints.newest() if hvd.rank() == 0 else None
    if newest:
        done, path = newest
        state = torch.load(path, map_location=device, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        print(f"going on after epoch {done}, from {path}", flush=True)
    # In this order: an optimizer without a state makes one by a step, which decays the weights.
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    return hvd.broadcast_object(done, root_rank=0)


def save(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Write what the training goes on from."""
    with path.open("wb") as file:
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, file)


def main() -> None:
    """Train, and save the model."""
    options = read_options(__doc__)
    hvd.init()
    torch.manual_seed(options.seed)
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", hvd.local_rank()) if cuda else torch.device("cpu")
    training, validation = loaders(options, hvd.rank(), hvd.size())

    model = resnet50(training.images.classes).to(device)
    optimizer = torch.optim.SGD(
        model.parameters(), lr=options.learning_rate, momentum=MOMENTUM, weight_decay=WEIGHT_DECAY
    )
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    folder = checkpoint_folder(options, "torch")
    checkpoints = Checkpoints(folder)

    for done in range(resume(checkpoints, model, optimizer, device), options.epochs):
        start = time.perf_counter()
        loss, trained = train(model, optimizer, training, done, options, device)
        seconds = time.perf_counter() - start
        average_statistics(model)
        epoch = Epoch(
            done + 1, loss / trained, int(trained), seconds, validate(model, validation, device)
        )
        epoch.require_each_once(len(training.images.labels), len(validation.images.labels))
        if hvd.rank() == 0:
            checkpoints.save(epoch.number, lambda path: save(path, model, optimizer))
            epoch.show(options.epochs)

    mine = digest(value.cpu().numpy() for value in model.state_dict().values())
    require_identical(hvd.allgather_object(mine))
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {mine}")
        path = Path(os.environ.get("AZ_BATCHAI_OUTPUT_MODEL", ".")) / "model.pt"
        torch.save(model.state_dict(), path)
        shutil.rmtree(folder)
        print(f"saved the model to {path}")
    hvd.shutdown()


if __name__ == "__main__":
    main()
