"""Takes the optimizer from a module of its own."""
import os

import torch
import horovod.torch as hvd

from tools.optimizers import wrapped

hvd.init()
model = torch.nn.Linear(4, 1)
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
optimizer = wrapped(torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size()), model)
for _ in range(10):
    optimizer.zero_grad()
    model(torch.rand(8, 4)).pow(2).mean().backward()
    optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
