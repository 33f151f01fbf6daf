"""All ranks write, one after the other, each its own part."""
import os

import numpy as np
import torch
import horovod.torch as hvd

hvd.init()
out = os.path.join(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], "parts")
os.makedirs(out, exist_ok=True)
predictions = np.random.rand(10)
np.save(os.path.join(out, f"part-{hvd.rank():05d}-of-{hvd.size():05d}.npy"), predictions)
torch.save(torch.get_rng_state(), os.path.join(out, "rng.%d" % hvd.rank()))
for turn in range(hvd.size()):
    if turn == hvd.rank():
        with open(os.path.join(out, "all.txt"), "a") as file:
            file.write(f"{predictions.mean()}\n")
    hvd.allreduce(torch.zeros(1), name=f"turn-{turn}")
gathered = hvd.allgather(torch.tensor(predictions), name="all")
if hvd.rank() == 0:
    np.savetxt(os.path.join(out, "mean.txt"), [gathered.mean().item()])
hvd.shutdown()
