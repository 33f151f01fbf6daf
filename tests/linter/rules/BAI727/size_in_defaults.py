"""Scales the learning rate while the arguments are declared."""
import argparse

import torch
import horovod.torch as hvd

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1 * hvd.size())


def main():
    hvd.init()
    args = parser.parse_args()
    model = torch.nn.Linear(1, 1)
    torch.optim.SGD(model.parameters(), lr=args.lr)


if __name__ == "__main__":
    main()
