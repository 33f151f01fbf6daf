"""Ranks but the first save too, each something of its own, or elsewhere."""
import os
import tempfile

import torch
import horovod.torch as hvd

hvd.init()
out = os.environ["AZ_BATCHAI_OUTPUT_MODEL"]
rank = hvd.rank() if hvd.size() > 1 else 0
model = torch.nn.Linear(1, 1)
optimizer = hvd.DistributedOptimizer(torch.optim.SGD(model.parameters(), lr=0.1))


def save(state, path):
    torch.save(state, path)


model(torch.rand(1, 1)).sum().backward()
optimizer.step()
if rank == 0:
    torch.save(model.state_dict(), out + "/model.pt")
else:
    torch.save(torch.get_rng_state(), f"{out}/rng-{rank}.pt")
if rank != 0:
    torch.save(torch.get_rng_state(), os.path.join(out, "state.%d" % rank))
    with tempfile.TemporaryDirectory() as folder:
        torch.save(model, folder + "/copy.pt")
if hvd.rank() != 0 and hvd.local_rank() == 0:
    torch.save(model.state_dict(), "/tmp/cache.pt")
if hvd.rank() == 0:
    save(model, out + "/again.pt")
if hvd.rank() != 0:
    save(model, os.environ["AZ_BATCHAI_JOB_TEMP"] + "/again.pt")
if rank > 0:
    if rank == hvd.size() - 1:
        torch.save(model, out + "/last.pt")
    print("ready")
