"""A short training job that measures its own throughput, in samples a second over all ranks."""

import os
import time
from pathlib import Path

import horovod.torch as hvd
import torch
from torch import nn

WARM_UP, STEPS, BATCH = 50, 600, 64

hvd.init()
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
hvd.broadcast_parameters(model.state_dict(), root_rank=0)
images, labels = torch.randn(BATCH, 256), torch.randint(0, 10, (BATCH,))
begun = 0.0
for step in range(WARM_UP + STEPS):
    if step == WARM_UP:
        begun = time.perf_counter()
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(images), labels).backward()
    optimizer.step()
hvd.allreduce(torch.zeros(1))
if hvd.rank() == 0:
    rate = STEPS * BATCH * hvd.size() / (time.perf_counter() - begun)
    Path(os.environ["BENCHMARK_RATE"]).write_text(str(rate))
hvd.shutdown()
