"""Has something else under the package's name where Horovod is not there."""
import torch

try:
    import horovod as hvd
    import horovod.torch as hvd
except ImportError:
    from types import SimpleNamespace

    hvd = SimpleNamespace(init=lambda: None, rank=lambda: 0)

hvd.init()
print(hvd.rank(), torch.ones(1))
