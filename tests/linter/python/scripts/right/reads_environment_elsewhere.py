"""Reads variables that another place may set, or that nothing needs."""
import os
from contextlib import suppress

import click
import torch
import horovod.torch as hvd

SUMMARIES = os.getenv("AZ_BATCHAI_OUTPUT_SUMMARIES")  # a writer takes None, too
START = os.getenv("AZ_BATCHAI_INPUT_BEGINNING")


class Settings:
    def main(self):
        return os.environ["AZ_BATCHAI_INPUT_SETTINGS"]


def warm_start(model):
    model.load_state_dict(torch.load(os.environ["AZ_BATCHAI_INPUT_START"]))


def evaluate():
    print("evaluating", os.environ["AZ_BATCHAI_INPUT_TESTS"])


@click.command()
@click.option("--warm/--cold", default=False)
@click.option("--evaluating", is_flag=True)
def main(warm, evaluating):
    if evaluating:
        evaluate()
        return
    final = os.environ["AZ_BATCHAI_OUTPUT_FINAL"]
    hvd.init()
    with suppress(KeyError):
        print("cache:", os.environ["AZ_BATCHAI_INPUT_CACHE"])
    model = torch.nn.Linear(1, 1)
    if warm:
        print(os.path.join(START, "model.pt"))
        warm_start(model)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
    model(torch.rand(1, 1)).sum().backward()
    optimizer.step()
    if hvd.rank() == 0:
        torch.save(model, final + "/model.pt")
        torch.utils.tensorboard.SummaryWriter(SUMMARIES)


if __name__ == "__main__":
    main()
