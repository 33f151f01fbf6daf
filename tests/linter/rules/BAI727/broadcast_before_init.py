"""Makes the optimizer and hands the first weights around before there is anybody to take them."""
import os

import torch
import horovod.torch as hvd


def build(rate):
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=rate)
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    return model, hvd.DistributedOptimizer(optimizer)


model, optimizer = build(0.1)
hvd.init()
torch.cuda.set_device(hvd.local_rank())
for _ in range(10):
    optimizer.zero_grad()
    model(torch.rand(8, 4)).pow(2).mean().backward()
    optimizer.step()
if hvd.rank() == 0:
    torch.save(model.state_dict(), os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
