"""BAI508: every mount can be made where the job runs.

On this machine a share or a container is a folder. A mount command is not run here, as that takes
the rights of root and changes the machine, and a file server is not a machine that could be asked.
Run it with another engine, or mount the directory yourself and write file:DIRECTORY.

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

from bai.compiler.rules.rule import Rule, Stage

RULE = Rule("BAI508", "a volume that this machine can't make", stage=Stage.PLANNING)
