"""BAI210: a file's `$schema` is that of api-version 2018-05-01.

Files of 2017-09-01-preview and 2018-03-01 are read as files of 2018-05-01, the last version of the
service, which takes other keys in some places.

Wrong (file):

    {
      "$schema": "../schemas/2018-03-01/job.json",
      "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/share",
        "customToolkitSettings": {"commandLine": "hostname"}
      }
    }

Right (file):

    {
      "$schema": "../schemas/2018-05-01/job.json",
      "properties": {
        "nodeCount": 1,
        "stdOutErrPathPrefix": "$AZ_BATCHAI_MOUNT_ROOT/share",
        "customToolkitSettings": {"commandLine": "hostname"}
      }
    }
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bai.compiler.resources.ids import Kind
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Part, Violation

_CURRENT: Final = "2018-05-01"
_VERSION: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-preview)?"
_CHANGES: Final = {
    Kind.JOB: (
        "priority is now schedulingPriority, output directories have no type and no createNew, "
        "and the experiment stands in the job's id"
    ),
    Kind.CLUSTER: "location and tags are the workspace's, and a setup task has no runElevated",
    Kind.FILE_SERVER: "location and tags are the workspace's",
}
"""What the models of the service's Python SDK 0.2.0 and 1.0.1 had, and 7.0.0 has not."""


@rule("BAI210")
def api_version(resource: ResourceView) -> Iterator[Violation]:
    address = resource.text("$schema")
    if address is None or f"/{_CURRENT}/" in address:
        return
    match = re.search(f"(?<=/){_VERSION}(?=/)", address)
    if match is None:
        return
    message = f"the file is of api-version {match[0]}, the service's last one is {_CURRENT}"
    new = address.replace(match[0], _CURRENT)
    hint = f"write {new}"
    if match[0] < _CURRENT and (changes := _CHANGES.get(resource.kind)):
        hint = f"{hint}. Since then {changes}"
    place = ("$schema",)
    yield Violation(Part(place, match[0], _CURRENT), message, hint)
