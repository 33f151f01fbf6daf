"""Horovod's functions are passed on, kept, compared with others and replaced."""
import os
from types import SimpleNamespace

import torch

try:
    import horovod.torch as hvd
    from horovod.torch import local_rank, rank, size
except ImportError:
    hvd = None

    def rank():
        return 0


def ask(question, default=0):
    return question() if question is not None else default


class Gang:
    rank = None
    size = 1

    def __init__(self, module):
        self.rank, self.size = module.rank(), module.size()
        self.ask_rank = module.rank

    @property
    def leads(self):
        return self.rank == 0


def scale(rate, size=1):
    return rate * size


hvd.init()
get_rank = hvd.rank if hvd is not None else rank
if get_rank is hvd.rank or get_rank == hvd.rank:
    print("horovod", str(get_rank()), hvd.size is not None, hvd.rank in {rank, get_rank})
gang = Gang(hvd)
fake = SimpleNamespace(rank=0, size=1)
questions = {"rank": hvd.rank, "size": hvd.size}
answers = {name: question() for name, question in questions.items()}
rate = scale(0.1, size=ask(hvd.size)) * fake.size * gang.size
model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=rate))
model(torch.rand(1, 1)).sum().backward()
optimizer.step()
if gang.leads and gang.rank == 0 and answers["rank"] == 0 and fake.rank == 0:
    torch.save(model.state_dict(), os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
