"""Runs with and without Horovod."""
import argparse
import sys

import torch

try:
    import horovod.torch as hvd

    HOROVOD = True
except ImportError:
    hvd = None
    HOROVOD = False

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir", default=".")
parser.add_argument("--single", action="store_true")


def main(argv=None):
    args = parser.parse_args(argv)
    distributed = HOROVOD and not args.single
    if distributed:
        hvd.init()
    rank = hvd.rank() if distributed else 0
    size = hvd.size() if distributed else 1
    model = torch.nn.Linear(1, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3 * size)
    if distributed:
        optimizer = hvd.DistributedOptimizer(optimizer, model.named_parameters())
    for _ in range(10):
        optimizer.zero_grad()
        model(torch.rand(4, 1)).mean().backward()
        optimizer.step()
    if rank == 0:
        torch.save(model.state_dict(), args.output_dir + "/model.pt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
