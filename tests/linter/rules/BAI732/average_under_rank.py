"""The first rank reports the mean loss, and asks for it under its own condition."""
import torch
import horovod.torch as hvd

hvd.init()
rank, size = hvd.rank(), hvd.size()
model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1 * size))
if size > 1:
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(3):
    loss = model(torch.rand(8, 1)).sum()
    loss.backward()
    optimizer.step()
    if rank == 0 and epoch % 2 == 0:
        if epoch:
            print("loss", hvd.allreduce(loss, name="loss").item())
    else:
        print("trained")
