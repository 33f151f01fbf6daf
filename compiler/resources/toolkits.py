"""The nine ways to launch a job, one model for each of Batch AI's *Settings."""

from __future__ import annotations

from typing import Any, ClassVar

from bai.compiler.resources.base import WireModel


class Toolkit(WireModel):
    """What every toolkit's settings share."""

    tool_type: ClassVar[str]
    """The service's own name for the toolkit, as `toolType` reports it."""


class PythonToolkit(Toolkit):
    """A toolkit that runs a Python script in every process."""

    python_script_file_path: str
    python_interpreter_path: str | None = None
    command_line_args: str | None = None


class HorovodSettings(PythonToolkit):
    """Horovod: one script, `process_count` ranks (by default one on each node)."""

    tool_type = "horovod"
    process_count: int | None = None


class PyTorchSettings(PythonToolkit):
    """PyTorch's own distributed package."""

    tool_type = "pytorch"
    process_count: int | None = None
    communication_backend: str | None = None


class ChainerSettings(PythonToolkit):
    """Chainer under MPI."""

    tool_type = "chainer"
    process_count: int | None = None


class Caffe2Settings(PythonToolkit):
    """Caffe2: one process on each node."""

    tool_type = "caffe2"


class TensorFlowSettings(Toolkit):
    """TensorFlow: a master, workers and parameter servers."""

    tool_type = "tensorflow"
    python_script_file_path: str
    python_interpreter_path: str | None = None
    master_command_line_args: str | None = None
    worker_command_line_args: str | None = None
    parameter_server_command_line_args: str | None = None
    worker_count: int | None = None
    parameter_server_count: int | None = None


class CaffeSettings(Toolkit):
    """Caffe: a config file for the caffe program, or a Python script."""

    tool_type = "caffe"
    config_file_path: str | None = None
    python_script_file_path: str | None = None
    python_interpreter_path: str | None = None
    command_line_args: str | None = None
    process_count: int | None = None


class CNTKSettings(Toolkit):
    """Cognitive Toolkit: a BrainScript config file, or a Python script (CNTKsettings)."""

    tool_type = "cntk"
    language_type: str | None = None
    config_file_path: str | None = None
    python_script_file_path: str | None = None
    python_interpreter_path: str | None = None
    command_line_args: str | None = None
    process_count: int | None = None


class CustomMpiSettings(Toolkit):
    """A command line in every process of an MPI job."""

    tool_type = "custommpi"
    command_line: str
    process_count: int | None = None


class CustomToolkitSettings(Toolkit):
    """A command line, run once on the first node."""

    tool_type = "custom"
    command_line: str | None = None


def process_count(toolkit: Any, node_count: int) -> int:
    """Return how many ranks the toolkit starts on `node_count` nodes.

    The default is one for each node, never one for each GPU: the published recipes and the
    schema's own descriptions agree on that. TensorFlow's parameter servers are no ranks: Batch AI
    bounds them by the nodes, and workers by the GPUs, each for themselves.
    """
    counts = (getattr(toolkit, name, None) for name in ("process_count", "worker_count"))
    return next(filter(None, counts), node_count)
