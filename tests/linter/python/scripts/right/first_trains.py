"""Trains a small model on the first rank, and all ranks use it."""
import os

import torch
import horovod.torch as hvd


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

    def fit(self):
        for _ in range(10):
            self.optimizer.zero_grad()
            self.model(torch.rand(8, 4)).pow(2).mean().backward()
            self.optimizer.step()


def main():
    hvd.init()
    model = torch.nn.Linear(4, 1)
    if hvd.rank() == 0:
        Trainer(model).fit()
        torch.save(model.state_dict(), os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/model.pt")
    hvd.broadcast_parameters(model.state_dict(), root_rank=0)
    with torch.no_grad():
        print(model(torch.rand(8, 4)))


if __name__ == "__main__":
    main()
