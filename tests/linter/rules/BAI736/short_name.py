"""Imports the part for PyTorch, and looks in the package."""
import torch
import horovod.torch

horovod.torch.init()
print(torch.ones(1), horovod.rank())
