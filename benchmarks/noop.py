"""A Horovod job that does nothing but meet."""

import horovod.torch as hvd

hvd.init()
hvd.shutdown()
