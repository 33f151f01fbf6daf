"""Cold start of `bai --help` and `bai lint FILE` against check-jsonschema on the same file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from measure import BIN, Result, interleaved, seconds

ROOT = Path(__file__).parents[1]
RUNS = 9


def results() -> Iterator[Result]:
    """Measure both commands."""
    spec = ROOT / "examples/digits/experiment.yaml"
    schema = ROOT / "schemas/experiment.schema.json"

    def run(*command: str | Path) -> float:
        return seconds(command, ROOT, os.environ)

    shown, lint, peer = interleaved(
        RUNS,
        lambda: run(BIN / "bai", "--help"),
        lambda: run(BIN / "bai", "lint", spec),
        lambda: run(BIN / "check-jsonschema", "--schemafile", schema, spec),
    )
    yield Result("bai --help", shown, peer, "s", "feels instant")
    yield Result("bai lint FILE", lint, peer, "s", "ratio < 1")
