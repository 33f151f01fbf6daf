"""Written for Python 2."""
import horovod.tensorflow as hvd
hvd.init()
print "rank", hvd.rank()
