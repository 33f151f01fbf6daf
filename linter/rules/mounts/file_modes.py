"""BAI513: modes of mounted files and directories are octal.

`fileMode` and `directoryMode` are permissions as chmod takes them: three octal digits, for the
owner, the group and all others, with or without a leading zero. Azure's default is 0777.

Wrong (job):

    mounts: {data: "azureFile:data?fileMode=rw-r--r--"}

Right (job):

    mounts: {data: "azureFile:data?fileMode=0644"}
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bai.linter.facts.volumes import volumes
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.violation import Violation

_KEYS = ("fileMode", "directoryMode")


@rule("BAI513")
def file_modes(resource: ResourceView) -> Iterator[Violation]:
    # The models of specs say the same.
    for volume in () if resource.is_compiled else volumes(resource):
        if volume.kind != "azureFileShares":
            continue
        for key in _KEYS:
            mode = volume.text(key)
            if mode is not None and not re.fullmatch("0?[0-7]{3}", mode):
                message = f"{key} {mode!r} is no octal file mode"
                yield Violation((*volume.path, key), message, "write it like 0777")
