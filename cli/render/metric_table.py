"""The table of `bai metrics`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from bai.cli.render.table import print_note, print_table
from bai.metric_points import MetricPoint
from bai.metric_summary import summarize


def print_metrics(points: Iterable[MetricPoint], file: IO[str]) -> None:
    """Print a row for each metric of each job, or for each rank where these differ."""
    found = summarize(points)
    print_table([each.upper() for each in found.head], found.rows, file, ["JOB"])
    if found.left_out:
        text = "of many ranks, those with the lowest and the highest newest value; -o csv has all"
        print_note(text, file)
