"""Gives its function to a decorator, which calls it."""
import torch
import horovod.torch as hvd

from click import command


@command()
def main():
    hvd.init()
    print(hvd.allreduce(torch.ones(1)))


start = main
start()
