"""Averages gradients itself, without an optimizer of Horovod's."""
import os

import torch
import horovod.torch as hvd
from horovod.torch import allreduce_async_, synchronize

hvd.init()
model = torch.nn.Linear(4, 1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
for _ in range(10):
    optimizer.zero_grad()
    model(torch.rand(8, 4)).pow(2).mean().backward()
    handles = [allreduce_async_(each.grad) for each in model.parameters()]
    for handle in handles:
        synchronize(handle)
    optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
