"""The first rank of each node unpacks the data to the node's disk; the others wait."""
import os
import shutil
import tarfile
import tempfile

import numpy as np
import torch
import horovod.torch as hvd

CACHE = "/tmp/data"


def main():
    hvd.init()
    if hvd.local_rank() == 0 and not os.path.exists(CACHE):
        os.makedirs(CACHE)
        with tarfile.open(os.path.join(os.environ["AZ_BATCHAI_JOB_MOUNT_ROOT"], "data.tar")) as tar:
            tar.extractall(CACHE)
        np.save(os.path.join(CACHE, "index.npy"), np.arange(10))
        torch.save({"ready": True}, CACHE + "/ready.pt")
    hvd.allreduce(torch.zeros(1), name="barrier")
    with tempfile.TemporaryDirectory() as scratch:
        part = os.path.join(scratch, "model.pt")
        model = torch.nn.Linear(1, 1)
        torch.save(model.state_dict(), part)
        if hvd.rank() == 0:
            shutil.copy(part, os.environ["AZ_BATCHAI_OUTPUT_MODEL"])


if __name__ == "__main__":
    main()
