"""Finds the toolkit of a job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bai.runtime.toolkits import distributed, ranks
from bai.runtime.toolkits.task import Launch, Nodes, Task, Wire


def _custom(settings: Wire, nodes: Nodes) -> Launch:  # noqa: ARG001 - it runs on the first alone
    return Launch((Task(0, 0, 0, (settings.get("commandLine") or ":",), bash=True),))


_TOOLKITS: Final[dict[str, Callable[[Wire, Nodes], Launch]]] = {
    "pyTorchSettings": distributed.pytorch,
    "caffe2Settings": distributed.caffe2,
    "tensorFlowSettings": distributed.tensorflow,
    "customMpiSettings": ranks.custom_mpi,
    "chainerSettings": ranks.chainer,
    "caffeSettings": ranks.caffe,
    "cntkSettings": ranks.cntk,
    "customToolkitSettings": _custom,
}


def toolkit_keys(properties: Wire) -> list[str]:
    """Return the wire keys of a job's toolkits; of a valid job, exactly one."""
    return [key for key in properties if key == "horovodSettings" or key in _TOOLKITS]


def tool_type(properties: Wire) -> str:
    """Return the service's name of a job's toolkit: `horovod`, `custommpi`, `custom`.

    Args:
        properties: the job's `properties` in wire form, with exactly one toolkit.
    """
    (key,) = toolkit_keys(properties)
    return key.lower().removesuffix("settings").removesuffix("toolkit")


def launch(properties: Wire, nodes: Nodes, *, mpirun: bool = False) -> Launch:
    """Return what to start for a job.

    Args:
        properties: the job's `properties` in wire form, with exactly one toolkit.
        nodes: the nodes it runs on.
        mpirun: whether Horovod's ranks are started by mpirun instead of its own rendezvous.

    Raises:
        LaunchError: the toolkit's settings make no command line.
    """
    if settings := properties.get("horovodSettings"):
        return ranks.horovod(settings, nodes, mpirun=mpirun)
    name = next(name for name in _TOOLKITS if name in properties)
    return _TOOLKITS[name](properties[name], nodes)
