"""Tells the versions of Python apart."""
import sys

import torch
import horovod.torch as hvd


def numbers(count):
    if sys.version_info >= (3,):
        return range(count)
    return xrange(count)


hvd.init()
print([torch.ones(1) for _ in numbers(3)])
