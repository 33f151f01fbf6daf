"""Processes come and go; the state is committed and saved by the first rank."""
import os

import torch
import horovod.torch as hvd

hvd.init()
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01 * hvd.size())
optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
out = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]


@hvd.elastic.run
def train(state):
    for state.epoch in range(state.epoch, 10):
        for state.batch in range(state.batch, 100):
            optimizer.zero_grad()
            model(torch.rand(8, 4)).sum().backward()
            optimizer.step()
            if state.batch % 10 == 0:
                state.commit()
        state.batch = 0
        save(state)


def save(state):
    if hvd.rank() != 0:
        return
    torch.save(state.model.state_dict(), os.path.join(out, f"{state.epoch}.pt"))


def on_reset():
    for group in optimizer.param_groups:
        group["lr"] = 0.01 * hvd.size()


state = hvd.elastic.TorchState(model=model, optimizer=optimizer, epoch=0, batch=0)
state.register_reset_callbacks([on_reset])
train(state)
