"""Trains a linear model with Horovod and PyTorch; each process learns from its own samples."""

import horovod.torch as hvd
import torch

try:
    from bai.metrics import report
except ImportError:  # this interpreter has no bai: nothing is reported
    report = dict

EPOCHS = 10

hvd.init()
torch.manual_seed(hvd.rank())  # other samples in each process
samples = torch.randn(2048, 8)
targets = samples.sum(1, keepdim=True) + 0.1 * torch.randn(2048, 1)
model = torch.nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
for epoch in range(1, EPOCHS + 1):
    for x, y in zip(samples.split(64), targets.split(64), strict=True):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    mean = float(hvd.allreduce(loss.detach(), name="loss"))
    if hvd.rank() == 0:
        print(f"epoch {epoch:2}  loss {mean:.4f}", flush=True)
        report(step=epoch, total=EPOCHS, loss=mean)
