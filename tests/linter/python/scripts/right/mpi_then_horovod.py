"""Horovod takes the communicator of MPI; the rank is MPI's before."""
import os

import torch
import horovod.torch as hvd
from mpi4py import MPI

comm = MPI.COMM_WORLD
first = comm.Get_rank() == 0
if first:
    os.makedirs(os.environ["AZ_BATCHAI_OUTPUT_MODEL"], exist_ok=True)
hvd.init(comm=comm)
net = torch.nn.Linear(1, 1)
net(torch.rand(1, 1)).backward()
if first:
    torch.save(net, os.environ["AZ_BATCHAI_OUTPUT_MODEL"] + "/net.pt")
