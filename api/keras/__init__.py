"""Horovod's Keras interface on Keras 3: `import bai.keras as hvd` in place of `horovod.keras`.

With Keras 3 Horovod's own `DistributedOptimizer` averages nothing, without a word, and its
callbacks fail. Here both work, and there is what a training needs to resume. It needs Keras 3 with
the TensorFlow backend, and a Horovod that was built for TensorFlow. An
example is in docs/training.md.
"""

from bai.keras.requirements import require_keras_3_on_tensorflow

require_keras_3_on_tensorflow()

from horovod.tensorflow import (  # noqa: E402
    Average,
    Max,
    Min,
    Sum,
    allgather_object,
    broadcast_object,
    init,
    is_initialized,
    local_rank,
    local_size,
    rank,
    shutdown,
    size,
)

from bai.keras import callbacks  # noqa: E402
from bai.keras.collectives import allgather, allreduce, broadcast  # noqa: E402
from bai.keras.optimizer import DistributedOptimizer, load_model  # noqa: E402

__all__ = [
    "Average",
    "DistributedOptimizer",
    "Max",
    "Min",
    "Sum",
    "allgather",
    "allgather_object",
    "allreduce",
    "broadcast",
    "broadcast_object",
    "callbacks",
    "init",
    "is_initialized",
    "load_model",
    "local_rank",
    "local_size",
    "rank",
    "shutdown",
    "size",
]
