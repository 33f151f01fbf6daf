"""The processes that run an attempt, on the nodes that the queue has chosen."""

from __future__ import annotations

import os

from bai.runtime import guardian


def main() -> None:
    """Run an attempt once, unless another process does or did."""
    guardian.guard_attempt(nodes=os.environ["BATCH_NODES"].split())
