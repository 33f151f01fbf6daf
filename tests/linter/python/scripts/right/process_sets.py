"""Even and odd ranks exchange among themselves."""
import torch
import horovod.torch as hvd

even, odd = hvd.ProcessSet([0, 2]), hvd.ProcessSet([1, 3])
first = hvd.ProcessSet([0])
hvd.init(process_sets=[even, odd, first])
mine = even if hvd.rank() % 2 == 0 else odd
print(hvd.allreduce(torch.ones(1), process_set=mine))
if hvd.rank() == 0:
    print(hvd.allreduce(torch.ones(1), process_set=first))
