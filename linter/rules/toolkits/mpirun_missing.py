"""BAI705: a job that needs mpirun finds it.

customMpi, Chainer, and PyTorch with the backend MPI start their processes with mpirun, and so does
Horovod where the context's launcher is mpirun. Other backends need nothing but Python.

Wrong (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        pyTorch: {script: "${mounts.code}/train.py", backend: mpi}

Right (spec):

    clusters: {gpu: {vmSize: STANDARD_NC6, scale: 2}}
    jobs:
      train:
        nodeCount: 2
        mounts: {data: "azureFile:data", code: "file:code"}
        logs: ${mounts.data}
        pyTorch: {script: "${mounts.code}/train.py", backend: gloo}
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI705", "a job that needs MPI, where it is not installed", stage=Stage.PLANNING)
