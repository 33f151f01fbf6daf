"""Calls its function by another name."""
import torch
import horovod.torch as hvd


def main():
    hvd.init()
    print(hvd.allreduce(torch.ones(1)))


class Started:
    started = main()
