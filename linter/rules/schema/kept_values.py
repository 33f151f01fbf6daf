"""BAI212: an imported file says nothing that a spec can't say.

`bai import` compiles the spec that it is about to write and compares the result with the files.
What would come out changed is told at its place, and nothing is written: a spec that says something
else than the file would be worse than none.

Wrong (job.json):

    {
      "inputDirectories": [{"id": "A", "path": "$AZ_BATCHAI_MOUNT_ROOT/a"}],
      "customToolkitSettings": {"commandLine": "cat ${inputs.A}"}
    }

Right (job.json):

    {
      "inputDirectories": [{"id": "A", "path": "$AZ_BATCHAI_MOUNT_ROOT/a"}],
      "customToolkitSettings": {"commandLine": "cat $AZ_BATCHAI_INPUT_A"}
    }
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI212", "a value that a spec can't say", stage=Stage.IMPORTING)
