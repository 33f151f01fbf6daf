"""The first rank sends and leaves the function; the others go on to receive."""
import torch
import horovod.torch as hvd

hvd.init()
for step in range(3):
    if hvd.rank() == 0:
        hvd.broadcast(torch.tensor([step]), root_rank=0)
        continue
    print(hvd.broadcast(torch.tensor([0]), root_rank=0))
