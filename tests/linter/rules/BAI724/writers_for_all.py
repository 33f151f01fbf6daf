"""Starts a process that writes checkpoints on every rank."""
from multiprocessing import Process, Queue

import torch
import horovod.torch as hvd


def write(queue):
    while (item := queue.get()) is not None:
        torch.save(item, "model.pt")


hvd.init()
queue = Queue()
writer = Process(target=write, args=(queue,))
writer.start()
print(hvd.allreduce(torch.ones(1)))
queue.put(None)
