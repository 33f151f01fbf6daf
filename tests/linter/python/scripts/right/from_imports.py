"""Takes the functions by name."""
import os

import torch
from horovod.torch import DistributedOptimizer, broadcast_parameters, init, local_rank, rank, size

init()
torch.manual_seed(rank())
device = f"cuda:{local_rank()}" if torch.cuda.is_available() else "cpu"
model = torch.nn.Linear(1, 1).to(device)
optimizer = DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1 * size()))
broadcast_parameters(model.state_dict(), root_rank=0)
model(torch.rand(1, 1)).backward()
optimizer.step()
if size() == 1 or rank() == 0:
    torch.save(model, os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
