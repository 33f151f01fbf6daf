"""Python 3 can read it, and stops at the first old name."""
import torch
import horovod.torch as hvd

hvd.init()
seen = {}
for epoch in xrange(3):
    if not seen.has_key(epoch):
        seen[epoch] = torch.ones(1)
