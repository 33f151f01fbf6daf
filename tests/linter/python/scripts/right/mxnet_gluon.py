"""MXNet's gluon interface."""
import argparse
import os

import mxnet as mx
import horovod.mxnet as hvd
from mxnet import autograd, gluon

parser = argparse.ArgumentParser()
parser.add_argument("--output-dir", default="./model")
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

hvd.init()
context = mx.cpu(hvd.local_rank())
num_workers, rank = hvd.size(), hvd.rank()
net = gluon.nn.Dense(10)
net.initialize(ctx=context)
params = net.collect_params()
hvd.broadcast_parameters(params, root_rank=0)
trainer = hvd.DistributedTrainer(params, mx.optimizer.create("sgd", learning_rate=0.01 * num_workers))
for epoch in range(args.epochs):
    with autograd.record():
        loss = net(mx.nd.ones((4, 4))).mean()
    loss.backward()
    trainer.step(4)
    if rank == 0:
        net.save_parameters(os.path.join(args.output_dir, f"{epoch}.params"))
        net.export(args.output_dir + "/net", epoch)
