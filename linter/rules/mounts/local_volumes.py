"""BAI508: every mount can be made where the job runs.

On this machine a share, a container or a file server is a folder. A mount command is not run here:
it would need the rights of root, and change the machine. Mount the directory yourself and write
`file:DIRECTORY`. Shares and directories also can't lead out of their account or file server.

Wrong (job):

    mounts:
      data: azureFile:data
      old: "command:mount -t nfs 10.0.0.4:/old"

Right (job):

    mounts:
      data: azureFile:data
      old: file:code
"""

from __future__ import annotations

from bai.linter.rules.rule import Rule, Stage

RULE = Rule("BAI508", "a volume that this machine can't make", stage=Stage.PLANNING)
