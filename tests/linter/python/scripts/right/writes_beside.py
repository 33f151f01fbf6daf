"""Writes checkpoints in a process and a thread of their own, which the first rank alone starts."""
import threading
from multiprocessing import Process, Queue

import torch
import horovod.torch as hvd


def write(queue):
    while (item := queue.get()) is not None:
        torch.save(item, "model.pt")


class Saver:
    def __init__(self):
        self.queue = Queue()
        self.thread = threading.Thread(target=self.run, daemon=True)

    def run(self):
        torch.save(self.queue.get(), "last.pt")

    def begin(self):
        if hvd.rank() == 0:
            self.thread.start()


hvd.init()
queue = Queue()
writer = Process(target=write, args=(queue,))
if hvd.rank() == 0:
    writer.start()
Saver().begin()
print(hvd.allreduce(torch.ones(1)))
