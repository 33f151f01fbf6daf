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

from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects
from bai.compiler.rules.volumes import volumes

_KEYS = ("fileMode", "directoryMode")


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        # The models of specs say the same.
        for volume in () if subject.is_compiled else volumes(subject):
            if volume.kind != "azureFileShares":
                continue
            for key in _KEYS:
                mode = volume.text(key)
                if mode is not None and not re.fullmatch("0?[0-7]{3}", mode):
                    message = f"{key} {mode!r} is no octal file mode"
                    yield Complaint(subject, (*volume.path, key), message, "write it like 0777")


RULE = Rule("BAI513", "a file mode that is not octal", _check)
