"""The processes that run the setup task of a node, with an agent there."""

from __future__ import annotations

from bai.runtime import setup_guardian
from far_engine.guardian import agents


def main() -> None:
    """Run a setup task once, unless another process does or did."""
    setup_guardian.guard_setup(lambda spec: agents(spec.folder, [spec.node]))
