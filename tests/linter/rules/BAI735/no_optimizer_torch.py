"""Everything of a Horovod script but its optimizer."""
import argparse
import os

import torch
import torchvision
import torchvision.models as models
import horovod.torch as hvd
from torch.utils.data.distributed import DistributedSampler

parser = argparse.ArgumentParser()
parser.add_argument("--data")
parser.add_argument("--output-dir")
parser.add_argument("--model", default="resnet50")
parser.add_argument("--epochs", type=int)
args = parser.parse_args()


def train(model, loader, optimizer, scheduler):
    model.train()
    for images, labels in loader:
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
    scheduler.step()


def main():
    hvd.init()
    if torch.cuda.is_available():
        torch.cuda.set_device(hvd.local_rank())
    dataset = torchvision.datasets.ImageFolder(args.data)
    sampler = DistributedSampler(dataset, num_replicas=hvd.size(), rank=hvd.rank())
    loader = torch.utils.data.DataLoader(dataset, sampler=sampler)
    model = getattr(models, args.model)()
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 30)
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        train(model, loader, optimizer, scheduler)
        model.eval()
        if hvd.rank() == 0:
            torch.save(model.state_dict(), os.path.join(args.output_dir, f"{epoch}.pt"))


if __name__ == "__main__":
    main()
