"""Horovod is imported here and initialised in a module beside the script."""
import horovod.torch as hvd
import torch

import common

common.prepare()
model = torch.nn.Linear(1, 1)
model(torch.rand(1, 1)).backward()
if hvd.rank() == 0:
    torch.save(model, "model.pt")
