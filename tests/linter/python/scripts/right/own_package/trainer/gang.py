import horovod.torch as hvd


def start():
    hvd.init()


def leads():
    return hvd.rank() == 0
