"""Toolkits whose processes mpirun starts: customMpi, chainer, caffe and cntk."""

from __future__ import annotations

from bai.runtime.toolkits.python_script import script_command, words
from bai.runtime.toolkits.task import Launch, Nodes, Style, Task, Wire, placement


def custom_mpi(settings: Wire, nodes: Nodes) -> Launch:
    """Return one process for each rank, running the command line."""
    return _launch((settings["commandLine"],), settings, nodes, bash=True)


def chainer(settings: Wire, nodes: Nodes) -> Launch:
    """Return one process for each rank, running the script."""
    return _launch(script_command(settings), settings, nodes)


def caffe(settings: Wire, nodes: Nodes) -> Launch:
    """Return the script's ranks, or those of the caffe program with a solver file."""
    if config := settings.get("configFilePath"):
        command = ("caffe", "train", f"--solver={config}", *words(settings))
    else:
        command = script_command(settings)
    return _launch(command, settings, nodes)


def cntk(settings: Wire, nodes: Nodes) -> Launch:
    """Return the script's ranks, or those of the cntk program with a BrainScript file."""
    if config := settings.get("configFilePath"):
        command: tuple[str, ...] = ("cntk", f"configFile={config}", *words(settings))
    else:
        command = script_command(settings)
    return _launch(command, settings, nodes)


def _launch(
    command: tuple[str, ...], settings: Wire, nodes: Nodes, *, bash: bool = False
) -> Launch:
    count = settings.get("processCount") or nodes.count
    tasks = tuple(
        Task(rank, node, local, command, bash=bash)
        for rank, (node, local) in enumerate(placement(count, nodes.count))
    )
    style = Style.MPI if count > 1 or bash else Style.ALONE
    return Launch(tasks, style, labelled=count > 1)
