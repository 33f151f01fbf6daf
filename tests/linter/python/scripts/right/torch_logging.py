"""Every rank has a log of its own."""
import logging
import os
import socket

import torch
import horovod.torch as hvd

hvd.init()
folder = os.path.join(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], "logs")
os.makedirs(folder, exist_ok=True)
name = f"{socket.gethostname()}-{hvd.local_rank()}.log"
logging.basicConfig(filename=os.path.join(folder, name), filemode="w")
with open(os.path.join(folder, "env." + name), "w") as file:
    file.write(repr(dict(os.environ)))
log = logging.getLogger(__name__)
log.setLevel(logging.INFO if hvd.rank() == 0 else logging.ERROR)
for step in range(10):
    loss = torch.rand(1, requires_grad=True)
    loss.backward()
    log.info("step %d loss %f", step, loss.item())
