"""Horovod is named, and that is all."""
import torch
import horovod.torch as hvd


def main():
    hvd.init
    torch.manual_seed(hvd.rank())
    model = torch.nn.Linear(1, 1)
    model(torch.rand(1, 1)).backward()


main()
