"""The names that Horovod has.

They are those of Horovod 0.28.1, from the `__init__.py` of each of its parts. `KNOWN` also has the
names of other versions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FRAMEWORKS: Final = frozenset({"torch", "tensorflow", "keras", "mxnet"})
"""Parts of Horovod whose users call init. horovod.spark, .ray and .runner do it themselves."""
COLLECTIVES: Final = frozenset(
    f"{group}{name}{ending}"
    for group in ("", "grouped_")
    for name in ("allreduce", "allgather", "broadcast", "alltoall", "reducescatter")
    for ending in ("", "_", "_async", "_async_")
) | {
    *("allgather_object", "barrier", "broadcast_global_variables", "broadcast_object"),
    *("broadcast_optimizer_state", "broadcast_parameters", "broadcast_variables", "join"),
}
"""Functions of Horovod that need all ranks to call them."""
QUERIES: Final = frozenset({"rank", "size", "local_rank", "local_size", "cross_rank", "cross_size"})
"""Functions that raise ValueError before init. Those on how Horovod was built do not."""
INITIAL_BROADCASTS: Final = frozenset(
    {"broadcast_parameters", "broadcast_optimizer_state", "broadcast_global_variables"}
    | {"broadcast_variables", "BroadcastGlobalVariablesHook", "BroadcastGlobalVariablesCallback"}
)
"""What makes all ranks start with the same weights."""

_ALL = frozenset(
    {
        *("init", "shutdown", "is_initialized", "start_timeline", "stop_timeline"),
        *("rank", "local_rank", "cross_rank", "size", "local_size", "cross_size"),
        *("mpi_threads_supported", "mpi_enabled", "mpi_built", "gloo_enabled", "gloo_built"),
        *("nccl_built", "ddl_built", "ccl_built", "cuda_built", "rocm_built"),
        *("allreduce", "allgather", "broadcast", "reducescatter", "global_process_set"),
        *("Average", "Sum", "Compression", "DistributedOptimizer"),
    }
)
"""What all parts for frameworks have."""
_TENSORS = _ALL | {
    *("alltoall", "broadcast_", "allgather_object", "broadcast_object", "Adasum"),
    *("grouped_allgather", "grouped_allreduce", "grouped_reducescatter", "Min", "Max", "Product"),
    *("ProcessSet", "add_process_set", "remove_process_set", "compression", "functions", "mpi_ops"),
}
"""What the parts for frameworks with tensors have: all but Keras."""
_KERAS = _ALL | {"callbacks", "elastic", "load_model", "broadcast_global_variables"}

PARTS: Final[Mapping[str, frozenset[str]]] = {
    "": frozenset(
        {"torch", "tensorflow", "keras", "mxnet", "spark", "ray", "runner", "common", "data", "run"}
    ),
    "torch": _TENSORS
    | {
        *("allreduce_", "allreduce_async", "allreduce_async_", "sparse_allreduce_async"),
        *("grouped_allreduce_", "grouped_allreduce_async", "grouped_allreduce_async_"),
        *("allgather_async", "grouped_allgather_async", "alltoall_async", "reducescatter_async"),
        *("grouped_reducescatter_async", "broadcast_async", "broadcast_async_", "synchronize"),
        *("broadcast_parameters", "broadcast_optimizer_state", "poll", "join", "barrier"),
        *("SyncBatchNorm", "HorovodInternalError", "elastic", "optimizer", "sync_batch_norm"),
    },
    "tensorflow": _TENSORS
    | {
        *("broadcast_variables", "broadcast_global_variables", "broadcast_object_fn", "join"),
        *("DistributedGradientTape", "PartialDistributedGradientTape", "SyncBatchNormalization"),
        *("BroadcastGlobalVariablesHook", "LocalGradientAggregationHelper", "is_homogeneous"),
        *("rank_op", "local_rank_op", "size_op", "local_size_op", "process_set_included_op"),
        *("elastic", "keras", "data", "gradient_aggregation", "sync_batch_norm", "util"),
    },
    "tensorflow.keras": _KERAS | {"ProcessSet", "add_process_set", "remove_process_set"},
    "keras": _KERAS | {"PartialDistributedOptimizer", "Adasum"},
    "mxnet": _TENSORS
    | {"allreduce_", "grouped_allreduce_", "broadcast_parameters", "DistributedTrainer"},
    "callbacks": frozenset(
        {
            *("BroadcastGlobalVariablesCallback", "MetricAverageCallback", "BestModelCheckpoint"),
            *("LearningRateScheduleCallback", "LearningRateWarmupCallback"),
        }
    ),
    "Compression": frozenset({"none", "fp16"}),
}
"""A part of Horovod, or a namespace in most parts -> its names. The package itself is `""`."""
KNOWN: Final = frozenset().union(*PARTS.values()) | {
    *("mlsl_built", "mpi_lib", "mpi_lib_impl", "mpi_lib_v2", "version", "metadata"),
    *("gradient_aggregation_eager", "vars_to_refs", "refs_to_vars", "tf", "mx"),
    *("split_list", "check_extension", "check_num_rank_power_of_2", "gpu_available"),
    *("device_compatibility_check", "handle_average_backwards_compatibility"),
    *("is_version_greater_equal_than", "warnings", "inspect"),
}
"""All names that any part has in any version, including internal ones."""
