"""Raises as Python 2 did."""
import torch
import horovod.torch as hvd

hvd.init()
if not torch.cuda.is_available():
    raise RuntimeError, "there is no GPU"
