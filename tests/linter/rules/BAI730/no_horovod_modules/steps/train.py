import torch


def run(model):
    for _ in range(3):
        model(torch.rand(1, 1)).backward()
