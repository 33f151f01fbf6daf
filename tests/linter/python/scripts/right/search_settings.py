"""Tries other settings on each rank, and keeps all that comes of it."""
import itertools
import json
import os

import torch
import horovod.torch as hvd

hvd.init()
torch.cuda.set_device(hvd.local_rank())
GRID = list(itertools.product([0.1, 0.01, 0.001], [0.0, 0.9]))
out = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]
if hvd.rank() == 0:
    torch.save(GRID, os.path.join(out, "grid.pt"))
for number in range(hvd.rank(), len(GRID), hvd.size()):
    lr, momentum = GRID[number]
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)
    for _ in range(100):
        optimizer.zero_grad()
        loss = model(torch.rand(8, 4)).pow(2).mean()
        loss.backward()
        optimizer.step()
    with open(os.path.join(out, f"{number}.json"), "w") as file:
        json.dump({"lr": lr, "momentum": momentum, "loss": loss.item()}, file)
