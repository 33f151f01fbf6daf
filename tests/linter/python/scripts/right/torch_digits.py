"""Convolutions on handwritten digits; one function for each part, saving in main."""
import argparse
import os

import torch
import torch.nn.functional as F
from torchvision import datasets, transforms

import horovod.torch as hvd

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir", default="./out")
parser.add_argument("--data", default="./data")
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--no-cuda", action="store_true")


def metric_average(value, name):
    return hvd.allreduce(torch.tensor(value), name=name).item()


def train(epoch, model, loader, sampler, optimizer, args):
    model.train()
    sampler.set_epoch(epoch)
    for index, (images, labels) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.nll_loss(model(images), labels)
        loss.backward()
        optimizer.step()
        if index % 10 == 0 and hvd.rank() == 0:
            print(f"epoch {epoch} step {index} loss {loss.item():.4f}")


def main():
    args = parser.parse_args()
    hvd.init()
    torch.manual_seed(7)
    cuda = not args.no_cuda and torch.cuda.is_available()
    if cuda:
        torch.cuda.set_device(hvd.local_rank())
    folder = os.path.join(args.data, f"digits-{hvd.rank()}")
    digits = datasets.MNIST(folder, download=True, transform=transforms.ToTensor())
    sampler = torch.utils.data.distributed.DistributedSampler(
        digits, num_replicas=hvd.size(), rank=hvd.rank()
    )
    loader = torch.utils.data.DataLoader(digits, batch_size=64, sampler=sampler)
    model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10), torch.nn.LogSoftmax(1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    hvd.broadcast_optimizer_state(optimizer, root_rank=0)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
    for epoch in range(1, args.epochs + 1):
        train(epoch, model, loader, sampler, optimizer, args)
        if hvd.rank() == 0:
            torch.save(model.state_dict(), os.path.join(args.output_dir, f"epoch-{epoch}.pt"))


if __name__ == "__main__":
    main()
