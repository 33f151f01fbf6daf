"""Decorators and helpers that run a function on one rank."""
import functools
import os

import torch
import horovod.torch as hvd


def once(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        if hvd.rank() == 0:
            return function(*args, **kwargs)
        return None

    return inner


def on_first(function, *args):
    result = function(*args) if hvd.rank() == 0 else None
    return hvd.broadcast_object(result, root_rank=0)


@once
def save(model, name):
    torch.save(model.state_dict(), os.path.join(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], name))


def save_all(model):
    torch.save(model, os.path.join(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], "all.pt"))


def main():
    hvd.init()
    model = torch.nn.Linear(2, 2)
    for epoch in range(5):
        model(torch.rand(1, 2)).sum().backward()
        save(model, f"{epoch}.pt")
    on_first(save_all, model)


main()
