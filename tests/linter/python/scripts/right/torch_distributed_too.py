"""Asks Horovod who it is, and trains with PyTorch's own means."""
import os

import torch
import torch.distributed as dist
import horovod.torch as hvd

hvd.init()
torch.cuda.set_device(hvd.local_rank())
dist.init_process_group("nccl", rank=hvd.rank(), world_size=hvd.size())
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1 * hvd.size())
for _ in range(10):
    optimizer.zero_grad()
    model(torch.rand(8, 4).cuda()).pow(2).mean().backward()
    optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
