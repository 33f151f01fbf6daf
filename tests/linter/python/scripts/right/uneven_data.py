"""The first rank has more data than the others, which wait for it in join()."""
import torch
import horovod.torch as hvd

hvd.init()
model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
for _ in range(10):
    model(torch.rand(1, 1)).sum().backward()
    optimizer.step()
if hvd.rank() == 0:
    model(torch.rand(1, 1)).sum().backward()
    optimizer.step()
hvd.join()
