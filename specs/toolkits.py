"""The nine toolkits, by their names."""

from __future__ import annotations

from typing import Final

TOOLKITS: Final = {
    "horovod": "horovodSettings",
    "pyTorch": "pyTorchSettings",
    "tensorFlow": "tensorFlowSettings",
    "customMpi": "customMpiSettings",
    "custom": "customToolkitSettings",
    "caffe": "caffeSettings",
    "caffe2": "caffe2Settings",
    "chainer": "chainerSettings",
    "cntk": "cntkSettings",
}
"""Toolkit of a job in a spec -> key of its settings in Batch AI's files."""

IN_SPECS: Final = {settings: name for name, settings in TOOLKITS.items()}
"""Key of a toolkit's settings in Batch AI's files -> its name in a spec."""
