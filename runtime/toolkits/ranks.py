"""Toolkits of ranks that do the same: Horovod, and customMpi, chainer, caffe and cntk of mpirun."""

from __future__ import annotations

from bai.runtime.toolkits.python_script import script_command, words
from bai.runtime.toolkits.task import Launch, Nodes, Style, Task, Wire, placement


def horovod(settings: Wire, nodes: Nodes, *, mpirun: bool) -> Launch:
    """Return the ranks, to meet by Horovod's own rendezvous or under mpirun."""
    tasks = _ranks(script_command(settings), settings, nodes)
    return Launch(tasks, Style.MPI if mpirun else Style.HOROVOD, labelled=True)


def custom_mpi(settings: Wire, nodes: Nodes) -> Launch:
    """Return one process for each rank, running the command line."""
    return _launch((settings["commandLine"],), settings, nodes, bash=True)


def chainer(settings: Wire, nodes: Nodes) -> Launch:
    """Return one process for each rank, running the script."""
    return _launch(script_command(settings), settings, nodes)


def caffe(settings: Wire, nodes: Nodes) -> Launch:
    """Return the script's ranks, or those of the caffe program with a solver file."""
    config = settings.get("configFilePath")
    program = ("caffe", "train", f"--solver={config}", *words(settings))
    return _launch(program if config else script_command(settings), settings, nodes)


def cntk(settings: Wire, nodes: Nodes) -> Launch:
    """Return the script's ranks, or those of the cntk program with a BrainScript file."""
    config = settings.get("configFilePath")
    program = ("cntk", f"configFile={config}", *words(settings))
    return _launch(program if config else script_command(settings), settings, nodes)


def _launch(
    command: tuple[str, ...], settings: Wire, nodes: Nodes, *, bash: bool = False
) -> Launch:
    tasks = _ranks(command, settings, nodes, bash=bash)
    several = len(tasks) > 1
    return Launch(tasks, Style.MPI if several or bash else Style.ALONE, labelled=several)


def _ranks(
    command: tuple[str, ...], settings: Wire, nodes: Nodes, *, bash: bool = False
) -> tuple[Task, ...]:
    count = settings.get("processCount") or nodes.count
    return tuple(
        Task(rank, node, local, command, bash=bash)
        for rank, (node, local) in enumerate(placement(count, nodes.count))
    )
