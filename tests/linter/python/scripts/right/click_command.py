"""A command line made with click."""
import os

import click
import torch
import horovod.torch as hvd


@click.command()
@click.option("--output-dir", required=True)
@click.option("--epochs", default=3)
@click.option("--data")
def main(output_dir, epochs, data):
    hvd.init()
    model = torch.nn.Linear(1, 1)
    best = float("inf")
    for epoch in range(epochs):
        loss = model(torch.rand(1, 1)).mean()
        loss.backward()
        value = hvd.allreduce(loss.detach()).item()
        is_best = value < best
        best = min(value, best)
        if hvd.rank() == 0 and is_best:
            torch.save(model, os.path.join(output_dir, "best.pt"))


if __name__ == "__main__":
    main()
