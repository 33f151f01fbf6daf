"""A Horovod job that only initialises: all ranks connect, and exit."""

import horovod.torch as hvd

hvd.init()
hvd.shutdown()
