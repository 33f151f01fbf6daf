"""Trains a network on synthetic images with Horovod and PyTorch, and says how fast."""

import argparse

import horovod.torch as hvd
import torch
from measuring import header, measure
from models_torch import MODELS
from options import SHAPES, read_options
from torch import nn

from bai.training import digest, require_identical

WEIGHT_DECAY = 4e-5
"""That of tf_cnn_benchmarks."""
LEARNING_RATE = 0.01


def optimizer_of(model: nn.Module, options: argparse.Namespace) -> torch.optim.Optimizer:
    """Return an optimizer that averages gradients over the ranks."""
    momentum = 0.9 if options.optimizer == "momentum" else 0.0
    plain = torch.optim.SGD(model.parameters(), lr=LEARNING_RATE, momentum=momentum)
    return hvd.DistributedOptimizer(plain, named_parameters=model.named_parameters())


def penalty(model: nn.Module) -> torch.Tensor:
    """Return what the loss has for the size of the weights: half of their squares, scaled."""
    return WEIGHT_DECAY / 2 * sum(weight.square().sum() for weight in model.parameters())


def main() -> None:
    """Train, and check that all ranks have the same weights in the end."""
    options = read_options()
    hvd.init()
    on_gpu = torch.cuda.is_available()
    device = torch.device("cuda", hvd.local_rank()) if on_gpu else torch.device("cpu")
    if hvd.rank() == 0:
        version = ".".join(torch.__version__.split(".")[:2])
        kind = "gpu" if on_gpu else "cpu"
        print(header(options, f"PyTorch: {version}", kind, "NCHW", hvd.size()))
        print("Generating model", flush=True)

    # Synthetic data, other on each rank, on the device before the first step.
    torch.manual_seed(hvd.rank())
    shape = SHAPES[options.model]
    images = torch.randn(options.batch_size, 3, shape.size, shape.size, device=device)
    labels = torch.randint(shape.classes, (options.batch_size,), device=device)

    model = MODELS[options.model](shape.classes).to(device)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = optimizer_of(model, options)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)

    def train() -> float:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(images), labels) + penalty(model)
        loss.backward()
        optimizer.step()
        # Reading the value waits for the device.
        return loss.item()

    measure(train, options, hvd.rank(), hvd.size())

    weights = digest([weight.detach().cpu().numpy() for weight in model.parameters()])
    require_identical(hvd.allgather_object(weights))
    if hvd.rank() == 0:
        print(f"weights are identical on all {hvd.size()} ranks: {weights}", flush=True)


if __name__ == "__main__":
    main()
