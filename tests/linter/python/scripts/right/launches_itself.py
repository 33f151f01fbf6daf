"""Uses what the package itself has, and its parts by their full names."""
import horovod
import horovod.torch
import torch


def train():
    horovod.torch.init()
    print(horovod.__version__, horovod.torch.allreduce(torch.ones(1)))


if __name__ == "__main__":
    horovod.run(train, np=2)
