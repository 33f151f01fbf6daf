"""The timeline of a Horovod job: a variable of Horovod's, and an output that keeps the file."""

from __future__ import annotations

from bai.compiler.passes.wire_builder import WireBuilder
from bai.compiler.resources.reserved import (
    TIMELINE_FILE,
    TIMELINE_OUTPUT,
    TIMELINE_SUFFIX,
    TIMELINE_VARIABLE,
)
from bai.specs.findings import Path
from bai.specs.models.job import Job
from bai.specs.models.toolkits import Horovod


def lower_timeline(builder: WireBuilder, job: Job, at: Path) -> None:
    """Put the output and the variable of a job that wants a timeline.

    The output stands beside the logs. An output or a variable of the job's own with the same name
    is a finding of the rules, which look at the result.

    Args:
        builder: the job's, which has the path of the logs already.
        job: the job.
        at: its place in the document.
    """
    name, toolkit = job.toolkit
    if not isinstance(toolkit, Horovod) or not toolkit.timeline:
        return
    source = (*at, name, "timeline")
    logs = builder.wire["properties"]["stdOutErrPathPrefix"]
    output = builder.item(("properties", "outputDirectories"), source)
    for key, text in (
        ("id", TIMELINE_OUTPUT),
        ("pathPrefix", logs),
        ("pathSuffix", TIMELINE_SUFFIX),
    ):
        builder.set((*output, key), text, source)
    variable = builder.item(("properties", "environmentVariables"), source)
    path = f"$AZ_BATCHAI_OUTPUT_{TIMELINE_OUTPUT}/{TIMELINE_FILE}"
    for key, text in (("name", TIMELINE_VARIABLE), ("value", path)):
        builder.set((*variable, key), text, source)
