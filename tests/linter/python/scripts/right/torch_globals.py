"""A long script without main: all is set at the top level, resuming included."""
import argparse
import math
import os

import tensorboardX
import torch
import torch.backends.cudnn as cudnn
from torchvision import models
from tqdm import tqdm

import horovod.torch as hvd

parser = argparse.ArgumentParser()
parser.add_argument("--log-dir", default="./logs")
parser.add_argument("--output-dir", default="./checkpoints")
parser.add_argument("--epochs", type=int, default=90)
parser.add_argument("--base-lr", type=float, default=0.0125)
args = parser.parse_args()

hvd.init()
torch.cuda.set_device(hvd.local_rank())
cudnn.benchmark = True
checkpoint_format = os.path.join(args.output_dir, "checkpoint-{epoch}.pth.tar")
resume_from_epoch = 0
for try_epoch in range(args.epochs, 0, -1):
    if os.path.exists(checkpoint_format.format(epoch=try_epoch)):
        resume_from_epoch = try_epoch
        break
resume_from_epoch = hvd.broadcast(torch.tensor(resume_from_epoch), 0, name="resume").item()
verbose = 1 if hvd.rank() == 0 else 0
log_writer = tensorboardX.SummaryWriter(args.log_dir) if hvd.rank() == 0 else None

model = models.resnet50().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=args.base_lr * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
if resume_from_epoch > 0 and hvd.rank() == 0:
    checkpoint = torch.load(checkpoint_format.format(epoch=resume_from_epoch))
    model.load_state_dict(checkpoint["model"])
hvd.broadcast_parameters(model.state_dict(), root_rank=0)


def train(epoch):
    with tqdm(total=100, disable=not verbose) as bar:
        for _ in range(100):
            loss = model(torch.rand(2, 3, 224, 224).cuda()).mean()
            loss.backward()
            optimizer.step()
            bar.update(1)
    if log_writer:
        log_writer.add_scalar("train/loss", loss, epoch)


def save_checkpoint(epoch):
    if hvd.rank() == 0:
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(state, checkpoint_format.format(epoch=epoch + 1))


for epoch in range(resume_from_epoch, args.epochs):
    train(epoch)
    save_checkpoint(epoch)
