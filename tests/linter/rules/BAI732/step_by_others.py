"""The first rank only looks on, while all others make a step."""
import torch
import horovod.torch as hvd

hvd.init()
model = torch.nn.Linear(1, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
for _ in range(3):
    model(torch.rand(8, 1)).sum().backward()
    if hvd.rank():
        optimizer.step()
