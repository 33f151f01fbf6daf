"""BAI705: a job that needs mpirun finds it.

customMpi, Chainer, and PyTorch with the backend MPI start their processes with mpirun, and so does
Horovod where the context's launcher is mpirun. Other backends need nothing but Python.

Wrong (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py", backend: mpi}

Right (job):

    mounts: {data: "azureFile:data", code: "file:code"}
    pyTorch: {script: "${mounts.code}/train.py", backend: gloo}
"""

from __future__ import annotations

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI705", "MPI is not installed", stage=Stage.PLANNING)
