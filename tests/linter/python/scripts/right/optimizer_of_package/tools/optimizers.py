import horovod.torch as hvd


def wrapped(optimizer, model):
    return hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())
