"""BAI213: a file's `$schema` is that of its kind.

Editors check and complete a file by its `$schema`: with that of another kind they call all of it
wrong. bai goes by the keys then, and checks the file as what they show it to be.

Wrong (file):

    {
      "$schema": "../schemas/2018-05-01/cluster.json",
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

from collections.abc import Iterator

from bai.compiler.recognise import FILES, kind_of_address, stem_of
from bai.compiler.rules.rule import Complaint, Rule
from bai.compiler.rules.subject import Subjects


def _check(subjects: Subjects) -> Iterator[Complaint]:
    for subject in subjects.items:
        address = subject.text("$schema")
        said = kind_of_address(address) if address else None
        if address is None or said is None or said is subject.kind:
            continue
        name, new = FILES[subject.kind]
        message = f"the $schema is a {FILES[said][0]}'s, the keys are a {name}'s"
        old = stem_of(address)
        hint = f"write {address.removesuffix('#').removesuffix(old)}{new}"
        yield Complaint(subject, ("$schema",), message, hint, part=old, replacement=new)


RULE = Rule("BAI213", "a `$schema` of another kind of file", _check)
