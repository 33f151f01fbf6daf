"""The first rank sends and the others receive, in every way that people write."""
import json
import sys

import torch
import horovod.torch as hvd


def send(data):
    return hvd.broadcast_object(data, root_rank=0)


def receive():
    return hvd.broadcast_object(None, root_rank=0)


def settings():
    if hvd.rank() == 0:
        with open("settings.json") as file:
            found = json.load(file)
        hvd.broadcast_object(found, root_rank=0, name="settings")
        return found
    return hvd.broadcast_object(None, root_rank=0, name="settings")


def main():
    hvd.init()
    if hvd.rank() == 0:
        seed = send(torch.initial_seed())
    else:
        seed = receive()
    if hvd.rank() == 0:
        hvd.broadcast(torch.tensor([seed]), root_rank=0, name="again")
    if hvd.rank() != 0:
        seed = hvd.broadcast(torch.tensor([0]), root_rank=0, name="again").item()
    torch.manual_seed(seed)
    rate = settings()["rate"]
    model = torch.nn.Linear(1, 1)
    optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=rate))
    model(torch.rand(1, 1)).sum().backward()
    optimizer.step()


if __name__ == "__main__":
    sys.exit(main())
