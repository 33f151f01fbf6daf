"""Uses the ranks of MPI without Horovod."""
import numpy as np
import torch
from mpi4py import MPI

comm = MPI.COMM_WORLD
model = torch.nn.Linear(1, 1)
model(torch.rand(1, 1)).backward()
weights = comm.gather(model.weight.detach().numpy(), root=0)
if comm.Get_rank() == 0:
    np.save("weights.npy", np.mean(weights, axis=0))
