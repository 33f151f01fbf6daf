import random

import horovod.torch as hvd
import torch


def prepare():
    hvd.init()
    random.seed(hvd.rank())
    torch.manual_seed(hvd.rank())
