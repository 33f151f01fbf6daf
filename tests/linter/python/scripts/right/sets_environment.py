"""Gives the variables that it reads values of its own where it runs elsewhere."""
import os

import dotenv
import torch
import horovod.torch as hvd

dotenv.load_dotenv()
model_path = os.path.join(os.environ["AZ_BATCHAI_OUTPUT_WEIGHTS"], "model.pt")
hvd.init()
model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))
model(torch.rand(1, 1)).sum().backward()
optimizer.step()
if hvd.rank() == 0:
    torch.save(model, model_path)
