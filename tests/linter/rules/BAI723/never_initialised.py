"""Imports Horovod, wraps the optimizer and forgets to begin."""
import torch
import horovod.torch as hvd

model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
model(torch.rand(1, 1)).backward()
optimizer.step()
