"""The virtual machines that Batch AI's clusters were made of.

Source: Microsoft's "Sizes for Linux virtual machines in Azure" as published in 2018 (general
purpose, compute, memory, storage, GPU and high performance compute optimized sizes, and the
previous generations). Sizes that came after the service ended are not here.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class VmSize(NamedTuple):
    """One size. `cores` are virtual CPUs, `memory` is in GiB."""

    name: str
    """As Microsoft writes it, `Standard_NC24r` for one."""
    series: str
    """The family as Microsoft's pages call it, `NCv2` for one."""
    cores: int
    memory: float
    gpus: int
    gpu_model: str | None
    rdma: bool
    """Whether nodes are joined by InfiniBand."""
    premium_storage: bool
    """Whether premium disks, and caches for disks, can be attached."""

    @property
    def has_clusters(self) -> bool:
        """Whether the service makes clusters of it."""
        return self.series not in ("GS", "DS", "DSv2") and self.name != "Standard_A0"


def find(name: str) -> VmSize | None:
    """Return the size called `name`, in any case, with or without `Standard_`, or None."""
    key = name.strip().upper()
    if not key.startswith("STANDARD_"):
        key = f"STANDARD_{key}"
    return _by_name().get(key)


def names() -> list[str]:
    """Return the names of all sizes, in the order of Microsoft's pages."""
    return [size.name for size in _by_name().values()]


@cache
def _by_name() -> dict[str, VmSize]:
    found = {}
    for (series, gpu_model, premium), sizes in _SERIES.items():
        for line in sizes.split(","):
            short, cores, memory, *rest = line.split()
            size = VmSize(
                name=f"Standard_{short}",
                series=series,
                cores=int(cores),
                memory=float(memory),
                gpus=int(rest[0]) if gpu_model else 0,
                gpu_model=gpu_model,
                rdma=rest[-1:] == ["rdma"],
                premium_storage=premium,
            )
            found[size.name.upper()] = size
    return found


# (series, GPU model, premium storage) -> sizes: name, cores, GiB[, GPUs][, "rdma"]
_SERIES: dict[tuple[str, str | None, bool], str] = {
    ("A", None, False): (
        "A0 1 0.75, A1 1 1.75, A2 2 3.5, A3 4 7, A4 8 14, A5 2 14, A6 4 28, A7 8 56,"
        "A8 8 56 rdma, A9 16 112 rdma, A10 8 56, A11 16 112"
    ),
    ("Av2", None, False): (
        "A1_v2 1 2, A2_v2 2 4, A4_v2 4 8, A8_v2 8 16, A2m_v2 2 16, A4m_v2 4 32, A8m_v2 8 64"
    ),
    ("B", None, True): "B1s 1 1, B1ms 1 2, B2s 2 4, B2ms 2 8, B4ms 4 16, B8ms 8 32",
    ("D", None, False): (
        "D1 1 3.5, D2 2 7, D3 4 14, D4 8 28, D11 2 14, D12 4 28, D13 8 56, D14 16 112"
    ),
    ("DS", None, True): (
        "DS1 1 3.5, DS2 2 7, DS3 4 14, DS4 8 28, DS11 2 14, DS12 4 28, DS13 8 56, DS14 16 112"
    ),
    ("Dv2", None, False): (
        "D1_v2 1 3.5, D2_v2 2 7, D3_v2 4 14, D4_v2 8 28, D5_v2 16 56, D11_v2 2 14, D12_v2 4 28,"
        "D13_v2 8 56, D14_v2 16 112, D15_v2 20 140"
    ),
    ("DSv2", None, True): (
        "DS1_v2 1 3.5, DS2_v2 2 7, DS3_v2 4 14, DS4_v2 8 28, DS5_v2 16 56, DS11_v2 2 14,"
        "DS12_v2 4 28, DS13_v2 8 56, DS14_v2 16 112, DS15_v2 20 140,"
        "DS11-1_v2 1 14, DS12-1_v2 1 28, DS12-2_v2 2 28, DS13-2_v2 2 56, DS13-4_v2 4 56,"
        "DS14-4_v2 4 112, DS14-8_v2 8 112"
    ),
    ("Dv3", None, False): (
        "D2_v3 2 8, D4_v3 4 16, D8_v3 8 32, D16_v3 16 64, D32_v3 32 128, D64_v3 64 256"
    ),
    ("Dsv3", None, True): (
        "D2s_v3 2 8, D4s_v3 4 16, D8s_v3 8 32, D16s_v3 16 64, D32s_v3 32 128, D64s_v3 64 256"
    ),
    ("DC", None, True): "DC2s 2 8, DC4s 4 16",
    ("Ev3", None, False): (
        "E2_v3 2 16, E4_v3 4 32, E8_v3 8 64, E16_v3 16 128, E20_v3 20 160, E32_v3 32 256,"
        "E64_v3 64 432, E64i_v3 64 432"
    ),
    ("Esv3", None, True): (
        "E2s_v3 2 16, E4s_v3 4 32, E8s_v3 8 64, E16s_v3 16 128, E20s_v3 20 160, E32s_v3 32 256,"
        "E64s_v3 64 432, E64is_v3 64 432,"
        "E4-2s_v3 2 32, E8-2s_v3 2 64, E8-4s_v3 4 64, E16-4s_v3 4 128, E16-8s_v3 8 128,"
        "E32-8s_v3 8 256, E32-16s_v3 16 256, E64-16s_v3 16 432, E64-32s_v3 32 432"
    ),
    ("F", None, False): "F1 1 2, F2 2 4, F4 4 8, F8 8 16, F16 16 32",
    ("Fs", None, True): "F1s 1 2, F2s 2 4, F4s 4 8, F8s 8 16, F16s 16 32",
    ("Fsv2", None, True): (
        "F2s_v2 2 4, F4s_v2 4 8, F8s_v2 8 16, F16s_v2 16 32, F32s_v2 32 64, F64s_v2 64 128,"
        "F72s_v2 72 144"
    ),
    ("G", None, False): "G1 2 28, G2 4 56, G3 8 112, G4 16 224, G5 32 448",
    ("GS", None, True): (
        "GS1 2 28, GS2 4 56, GS3 8 112, GS4 16 224, GS5 32 448,"
        "GS4-4 4 224, GS4-8 8 224, GS5-8 8 448, GS5-16 16 448"
    ),
    ("H", None, False): (
        "H8 8 56, H16 16 112, H8m 8 112, H16m 16 224, H16r 16 112 rdma, H16mr 16 224 rdma"
    ),
    ("Ls", None, True): "L4s 4 32, L8s 8 64, L16s 16 128, L32s 32 256",
    ("Lsv2", None, True): (
        "L8s_v2 8 64, L16s_v2 16 128, L32s_v2 32 256, L64s_v2 64 512, L80s_v2 80 640"
    ),
    ("M", None, True): (
        "M8ms 8 218.75, M16ms 16 437.5, M32ts 32 192, M32ls 32 256, M32ms 32 875, M64s 64 1024,"
        "M64ls 64 512, M64ms 64 1792, M128s 128 2048, M128ms 128 3892"
    ),
    ("NC", "NVIDIA Tesla K80", False): (
        "NC6 6 56 1, NC12 12 112 2, NC24 24 224 4, NC24r 24 224 4 rdma"
    ),
    ("NCv2", "NVIDIA Tesla P100", True): (
        "NC6s_v2 6 112 1, NC12s_v2 12 224 2, NC24s_v2 24 448 4, NC24rs_v2 24 448 4 rdma"
    ),
    ("NCv3", "NVIDIA Tesla V100", True): (
        "NC6s_v3 6 112 1, NC12s_v3 12 224 2, NC24s_v3 24 448 4, NC24rs_v3 24 448 4 rdma"
    ),
    ("ND", "NVIDIA Tesla P40", True): (
        "ND6s 6 112 1, ND12s 12 224 2, ND24s 24 448 4, ND24rs 24 448 4 rdma"
    ),
    ("NV", "NVIDIA Tesla M60", False): "NV6 6 56 1, NV12 12 112 2, NV24 24 224 4",
    ("NVv2", "NVIDIA Tesla M60", True): "NV6s_v2 6 112 1, NV12s_v2 12 224 2, NV24s_v2 24 448 4",
}
