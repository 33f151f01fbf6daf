"""The conditions are the wrong way round."""
import os

import torch
import horovod.torch as hvd

OUT = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]


def save(model, epoch):
    torch.save(model.state_dict(), os.path.join(OUT, f"{epoch}.pt"))


hvd.init()
rank = hvd.rank()
is_first = rank == 0
model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
for epoch in range(3):
    model(torch.rand(1, 1)).sum().backward()
    optimizer.step()
    if rank > 0 and epoch > 1:
        save(model, epoch)
if hvd.rank():
    torch.save(model.state_dict(), OUT + "/last.pt")
if is_first:
    print("saving")
else:
    torch.save(model, OUT + "/whole.pt")
if not is_first:
    torch.save(optimizer.state_dict(), OUT + "/optimizer.pt")
