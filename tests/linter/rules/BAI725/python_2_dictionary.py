"""Asks a dictionary as Python 2 did."""
import collections

import torch
import horovod.torch as hvd

hvd.init()
seen = collections.OrderedDict()
seen["a"] = torch.ones(1)
for name, value in seen.iteritems():
    print(name, value)
