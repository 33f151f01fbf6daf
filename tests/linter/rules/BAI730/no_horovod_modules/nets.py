from torch import nn


def build():
    return nn.Linear(1, 1)
